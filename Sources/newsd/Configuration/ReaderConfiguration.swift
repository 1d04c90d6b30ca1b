import NewsTerminal
import NewsToolbox

/// The sections of the reader, whose keys are names of screens, roles and programs: `keys:`, `colors:`, `actions:`.
enum ReaderConfiguration {
  static let sections = ["keys", "colors", "actions"]

  /// Applies a section.
  static func apply(
    _ section: String,
    _ node: YAMLNode,
    file: String,
    to options: inout ReaderOptions
  ) throws(ConfigurationError) {
    for (key, value) in try node.pairs(file, orElse: "\(section) takes 'key: value' lines") {
      guard case .scalar(let name) = key.value else {
        throw ConfigurationError(file, key, "a key must be a plain word")
      }
      let place = "\(file):\(value.line): \(section).\(name)"
      switch section {
      case "keys": try bind(name, key, value, file, &options.keys)
      case "colors": try paint(name, key, value, file, place, &options.theme)
      default: options.actions.append(ReaderProgram(name: name, words: try words(value, place)))
      }
    }
  }

  /// Applies the keys of a screen, such as `list: {j: next, gs: reverse}`.
  private static func bind(
    _ name: String,
    _ key: YAMLNode,
    _ value: YAMLNode,
    _ file: String,
    _ table: inout KeyTable
  ) throws(ConfigurationError) {
    guard let context = KeyContext(rawValue: name) else {
      let names = KeyContext.allCases.map(\.rawValue)
      let near = NameHint.text(for: name, among: names)
      throw ConfigurationError(file, key, "keys.\(name) is not a screen of the reader" + near)
    }
    let form = "keys.\(name) takes 'key: action' pairs"
    for (key, value) in try value.pairs(file, orElse: form) {
      guard case .scalar(let typed) = key.value, case .scalar(let word) = value.value else {
        throw ConfigurationError(file, key, form)
      }
      guard let keys = Key.sequence(typed) else {
        let forms = "a key such as j, gg, Enter, Ctrl-F, PageDown or F5"
        throw ConfigurationError(file, key, "keys.\(name): '\(typed)' is not \(forms)")
      }
      guard let action = ReaderAction(rawValue: word) else {
        let near = NameHint.text(for: word, among: ReaderAction.allCases.map(\.rawValue))
        throw ConfigurationError(file, value, "keys.\(name).\(typed): there is no action '\(word)'" + near)
      }
      table.bind(keys, to: action, in: context)
    }
  }

  /// Applies the look of a role, such as `unread: bold yellow`.
  private static func paint(
    _ name: String,
    _ key: YAMLNode,
    _ value: YAMLNode,
    _ file: String,
    _ place: String,
    _ theme: inout Theme
  ) throws(ConfigurationError) {
    guard let role = ScreenRole(rawValue: name) else {
      let names = ScreenRole.allCases.map(\.rawValue)
      let near = NameHint.text(for: name, among: names)
      throw ConfigurationError(file, key, "colors.\(name) is not a part of the screen" + near)
    }
    guard case .scalar(let text) = value.value else {
      throw ConfigurationError(message: "\(place) takes one plain value such as 'bold yellow'")
    }
    switch Appearance.parse(text) {
    case .success(let look): theme[role] = look
    case .failure(let error):
      throw ConfigurationError(
        message:
          "\(place) takes colours and attributes such as 'bold yellow', 'white on blue' or '#ff8800', not '\(error.word)'"
      )
    }
  }

  /// Reads the words of a program: `[program, argument]`, or a line that is split as a shell does.
  static func words(_ node: YAMLNode, _ place: String) throws(ConfigurationError) -> [String] {
    var words: [String] = []
    switch node.value {
    case .scalar(let line):
      do throws(CommandWords.Problem) {
        words = try CommandWords.split(line)
      } catch {
        throw ConfigurationError(message: "\(place): \(error.message)")
      }
    case .sequence(let nodes):
      for node in nodes {
        guard case .scalar(let word) = node.value else {
          throw ConfigurationError(message: "\(place) takes a program and its arguments")
        }
        words.append(word)
      }
    case .mapping: break
    }
    guard let program = words.first, !program.isEmpty else {
      throw ConfigurationError(message: "\(place) takes a program and its arguments")
    }
    return words
  }
}
