/// An output template: text with fields in braces.
///
/// `{title}` is a field, `{title|truncate:60|html}` a field with filters. `{?tags}…{:}…{/}` prints its first part
/// if the field has a value, else its second; `{!url}…{/}` does the reverse. `\t`, `\n`, `\\`, `\{` and `\}` are
/// escapes. docs/formats.md lists the filters.
struct Template<Record: Sendable>: Sendable {
  indirect enum Node: Sendable {
    case text(String)
    case field(Column<Record>, [TemplateFilter])
    case choice(Column<Record>, present: [Node], absent: [Node])
  }

  let nodes: [Node]

  /// The names of all columns that the template prints or tests.
  var fields: [String] { Self.fields(of: nodes) }

  private static func fields(of nodes: [Node]) -> [String] {
    nodes.flatMap { node in
      switch node {
      case .text: [String]()
      case .field(let field, _): [field.name]
      case .choice(let field, let present, let absent):
        [field.name] + fields(of: present) + fields(of: absent)
      }
    }
  }
}

/// A filter, which changes or quotes a field's value.
enum TemplateFilter: Hashable, Sendable {
  case truncate(Int)
  /// Shortens a text, or each text of a list, to that many UTF-16 code units: as services count characters.
  case limit(Int)
  /// Pads the value to that many columns: `left` adds spaces on the right, `right` on the left.
  case left(Int)
  case right(Int)
  case date(String)
  case age
  case join(String)
  case first
  case defaultValue(String)
  case lines
  case upper
  case lower
  case shell
  /// With a name, prints a list of objects: each element is the value of this one member.
  case json(member: String?)
  case html
  case markdown
  case csv
  case url

  /// True for filters that quote the value; no filter can follow them.
  var quotes: Bool {
    switch self {
    case .shell, .json, .html, .markdown, .csv, .url: true
    default: false
    }
  }

  static let names = [
    "truncate", "limit", "left", "right", "date", "age", "join", "first", "default", "lines", "upper",
    "lower",
    "shell", "json", "html", "markdown", "csv", "url",
  ]

  /// Finds a filter by name; fails for an unknown filter or a wrong argument.
  static func named(_ name: String, _ argument: String?) -> Result<TemplateFilter, Problem> {
    func number(of unit: String = "columns", _ make: (Int) -> TemplateFilter) -> Result<
      TemplateFilter, Problem
    > {
      guard let argument, let value = Int(argument), (1...10_000).contains(value) else {
        return .failure(.argument("'\(name)' needs a number of \(unit), as in {title|\(name):60}"))
      }
      return .success(make(value))
    }
    func plain(_ filter: TemplateFilter) -> Result<TemplateFilter, Problem> {
      guard argument == nil else { return .failure(.argument("'\(name)' takes no argument")) }
      return .success(filter)
    }
    switch name {
    case "truncate": return number(TemplateFilter.truncate)
    case "limit": return number(of: "characters", TemplateFilter.limit)
    case "left": return number(TemplateFilter.left)
    case "right": return number(TemplateFilter.right)
    case "date": return .success(.date(argument ?? "%Y-%m-%d %H:%M"))
    case "join": return .success(.join(argument ?? ", "))
    case "default": return .success(.defaultValue(argument ?? "-"))
    case "age": return plain(.age)
    case "first": return plain(.first)
    case "lines": return plain(.lines)
    case "upper": return plain(.upper)
    case "lower": return plain(.lower)
    case "shell": return plain(.shell)
    case "json": return .success(.json(member: argument))
    case "html": return plain(.html)
    case "markdown": return plain(.markdown)
    case "csv": return plain(.csv)
    case "url": return plain(.url)
    default: return .failure(.unknown)
    }
  }

  enum Problem: Error, Hashable {
    case unknown
    case argument(String)
  }
}
