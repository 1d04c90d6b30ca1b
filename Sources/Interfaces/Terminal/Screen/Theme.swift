/// A colour as the configuration names it.
public enum ScreenColour: Hashable, Sendable {
  /// The terminal's default colour.
  case terminal
  /// A colour by its number: one of the 16 that terminals define, or of the palette of 256.
  case indexed(Int)
  case rgb(red: Int, green: Int, blue: Int)
}

/// The look of a role.
public struct Appearance: Hashable, Sendable {
  public enum Attribute: String, Hashable, Sendable, CaseIterable {
    case bold, faint, italic, underline, reverse
  }

  public var foreground: ScreenColour?
  public var background: ScreenColour?
  public var attributes: Set<Attribute> = []

  public init(
    _ foreground: ScreenColour? = nil,
    on background: ScreenColour? = nil,
    _ attributes: Set<Attribute> = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  private static let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

  /// Reads `bold yellow`, `white on blue`, `#ff8800 underline`, `color208`. Returns the look, or the first
  /// unknown word.
  public static func parse(_ text: String) -> Result<Appearance, ThemeError> {
    var look = Appearance()
    var isBackground = false
    for word in text.utf8.split(separator: UInt8(ascii: " ")).map({ String(decoding: $0, as: UTF8.self) }) {
      let lower = word.lowercased()
      if lower == "on" {
        isBackground = true
      } else if let attribute = Attribute(rawValue: lower) {
        look.attributes.insert(attribute)
      } else if let colour = colour(lower) {
        if isBackground { look.background = colour } else { look.foreground = colour }
      } else {
        return .failure(ThemeError(word: word))
      }
    }
    return .success(look)
  }

  private static func colour(_ word: String) -> ScreenColour? {
    if word == "default" { return .terminal }
    if word == "gray" || word == "grey" { return .indexed(8) }
    if let index = names.firstIndex(of: word) { return .indexed(index) }
    let bytes = Array(word.utf8)
    if bytes.starts(with: "bright-".utf8), let index = names.firstIndex(of: String(word.dropFirst(7))) {
      return .indexed(index + 8)
    }
    if bytes.starts(with: "color".utf8), let index = Int(word.dropFirst(5)), (0...255).contains(index) {
      return .indexed(index)
    }
    guard bytes.first == UInt8(ascii: "#"), bytes.count == 7, let value = Int(word.dropFirst(), radix: 16)
    else {
      return nil
    }
    return .rgb(red: value >> 16, green: value >> 8 & 255, blue: value & 255)
  }
}

/// A word that is neither a colour nor an attribute.
public struct ThemeError: Error, Hashable, Sendable {
  public var word: String
}

/// The look of every role.
public struct Theme: Hashable, Sendable {
  private var looks: [ScreenRole: Appearance]

  public subscript(role: ScreenRole) -> Appearance {
    get { looks[role] ?? Appearance() }
    set { looks[role] = newValue }
  }

  /// The default theme: the colours of `newsd list`, from the sixteen that every terminal defines.
  public static let standard = Theme(looks: [
    .unread: Appearance(nil, on: nil, [.bold]),
    .starred: Appearance(.indexed(3)),
    .feed: Appearance(.indexed(6)),
    .date: Appearance(.indexed(2)),
    .match: Appearance(.indexed(3), on: nil, [.bold]),
    .heading: Appearance(nil, on: nil, [.bold]),
    .faint: Appearance(nil, on: nil, [.faint]),
    .error: Appearance(.indexed(1), on: nil, [.bold]),
    .link: Appearance(.indexed(4), on: nil, [.underline]),
    .strong: Appearance(nil, on: nil, [.bold]),
    .emphasis: Appearance(nil, on: nil, [.italic]),
    .code: Appearance(.indexed(6)),
    .struck: Appearance(nil, on: nil, [.faint]),
    .bar: Appearance(.indexed(4)),
    .folder: Appearance(nil, on: nil, [.bold]),
    .separator: Appearance(nil, on: nil, [.faint]),
    .title: Appearance(nil, on: nil, [.reverse]),
    .status: Appearance(nil, on: nil, [.reverse]),
    .selected: Appearance(nil, on: nil, [.reverse]),
  ])

  /// Returns the look of a cell with this style.
  public func look(_ style: ScreenStyle) -> Appearance {
    var look = self[style.role]
    guard style.isSelected else { return look }
    let selected = self[.selected]
    look.attributes.formUnion(selected.attributes)
    look.foreground = selected.foreground ?? look.foreground
    look.background = selected.background ?? look.background
    return look
  }
}
