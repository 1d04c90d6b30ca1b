import Modules
import NewsToolbox

extension Template {
  /// Parses a template.
  init(_ text: String, of columns: Columns<Record>) throws(UserMessage) {
    var parser = TemplateParser(text, columns)
    self.init(nodes: try parser.parse())
  }
}

/// Parses a template.
struct TemplateParser<Record: Sendable> {
  typealias Node = Template<Record>.Node

  /// A condition that is not closed yet.
  private struct Open {
    var field: Column<Record>
    var isPresent: Bool
    /// Index of its opening brace.
    var place: Int
    var first: [Node] = []
    /// True after `{:}`.
    var hasElse = false
    var before: [Node]
  }

  private let scalars: [Unicode.Scalar]
  private let columns: Columns<Record>
  private var index = 0
  private var nodes: [Node] = []
  private var literal = ""
  private var open: [Open] = []

  init(_ text: String, _ columns: Columns<Record>) {
    self.columns = columns
    scalars = Array(text.unicodeScalars)
  }

  mutating func parse() throws(UserMessage) -> [Node] {
    while index < scalars.count {
      let scalar = scalars[index]
      switch scalar {
      case "\\": try escape()
      case "{": try braces()
      case "}":
        throw problem("a '}' closes no brace; write \\} for the character itself", at: index)
      default:
        literal.unicodeScalars.append(scalar)
        index += 1
      }
    }
    flush()
    if let last = open.last {
      throw problem("the condition is not closed; end it with {/}", at: last.place)
    }
    return nodes
  }

  private mutating func flush() {
    if !literal.isEmpty { nodes.append(.text(literal)) }
    literal = ""
  }

  private mutating func escape() throws(UserMessage) {
    guard index + 1 < scalars.count else { throw problem("nothing follows the backslash", at: index) }
    switch scalars[index + 1] {
    case "t": literal.append("\t")
    case "n": literal.append("\n")
    case "\\": literal.append("\\")
    case "{": literal.append("{")
    case "}": literal.append("}")
    default:
      throw problem("unknown '\\\(scalars[index + 1])'; write \\t \\n \\\\ \\{ \\}", at: index)
    }
    index += 2
  }

  /// Parses from an opening brace to the closing one.
  private mutating func braces() throws(UserMessage) {
    let start = index
    let parts = try self.parts(from: start)
    flush()
    let head = parts[0]
    switch head.text.unicodeScalars.first {
    case "?", "!":
      let field = try field(String(head.text.unicodeScalars.dropFirst()), at: head.place + 1)
      open.append(
        Open(field: field, isPresent: head.text.unicodeScalars.first == "?", place: start, before: nodes)
      )
      nodes = []
    case ":" where head.text == ":":
      guard let last = open.indices.last, !open[last].hasElse else {
        throw problem("{:} outside a condition", at: start)
      }
      open[last].first = nodes
      open[last].hasElse = true
      nodes = []
    case "/" where head.text == "/":
      guard let last = open.popLast() else { throw problem("{/} closes no condition", at: start) }
      let first = last.hasElse ? last.first : nodes
      let second = last.hasElse ? nodes : []
      let choice = Node.choice(
        last.field,
        present: last.isPresent ? first : second,
        absent: last.isPresent ? second : first
      )
      nodes = last.before + [choice]
    default:
      let field = try field(head.text, at: head.place)
      nodes.append(.field(field, try filters(parts.dropFirst(), of: field)))
    }
  }

  /// A part between bars, and the index at which it begins.
  private struct Part {
    var text: String
    var place: Int
  }

  /// Reads the parts between the braces and moves `index` past the closing brace.
  private mutating func parts(from start: Int) throws(UserMessage) -> [Part] {
    var parts = [Part(text: "", place: start + 1)]
    index = start + 1
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      switch scalar {
      case "}": return parts
      case "|": parts.append(Part(text: "", place: index))
      case "{": throw problem("a '{' within braces", at: index - 1)
      case "\\" where index < scalars.count:
        // In an argument, a backslash escapes any character; `\t` and `\n` are tab and line feed.
        let next = scalars[index]
        parts[parts.count - 1].text.unicodeScalars.append(next == "t" ? "\t" : next == "n" ? "\n" : next)
        index += 1
      default: parts[parts.count - 1].text.unicodeScalars.append(scalar)
      }
    }
    throw problem("the brace is not closed", at: start)
  }

  private func field(_ name: String, at place: Int) throws(UserMessage) -> Column<Record> {
    guard let field = columns.all.first(where: { $0.name == name }) else {
      throw problem(NameHint.unknown("field", name, among: columns.names), at: place)
    }
    return field
  }

  private func filters(_ parts: ArraySlice<Part>, of field: Column<Record>) throws(UserMessage)
    -> [TemplateFilter]
  {
    var filters: [TemplateFilter] = []
    for part in parts {
      let cut = part.text.cut(atFirst: ":")
      let name = String(cut?.before ?? part.text[...])
      let argument = cut.map { String($0.after) }
      if let last = filters.last, last.quotes {
        throw problem("no filter can follow shell, json, html, csv or url", at: part.place)
      }
      switch TemplateFilter.named(name, argument) {
      case .success(let filter):
        if !field.isTime, filter == .age || filter.isDate {
          throw problem(
            "the filter '\(name)' needs a date, and '\(field.name)' is not one",
            at: part.place
          )
        }
        filters.append(filter)
      case .failure(.unknown):
        throw problem(NameHint.unknown("filter", name, among: TemplateFilter.names), at: part.place)
      case .failure(.argument(let message)):
        throw problem(message, at: part.place)
      }
    }
    return filters
  }

  private func problem(_ text: String, at place: Int) -> UserMessage {
    let before = scalars[..<min(place, scalars.count)]
    let line = before.count { $0 == "\n" } + 1
    let column = before.reversed().prefix { $0 != "\n" }.count + 1
    let position =
      line > 1 || scalars.contains { $0 == "\n" } ? "line \(line), column \(column)" : "column \(column)"
    return UserMessage(code: .usage, text: "template, \(position): \(text)")
  }
}

extension TemplateFilter {
  fileprivate var isDate: Bool {
    if case .date = self { return true }
    return false
  }
}
