import NewsHTTP
import NewsSearch
import Modules
import NewsCore
import NewsFormats
import NewsToolbox

/// The items that the parameters of a request select, whose names are those of the command line's options.
struct ItemSelection: Sendable {
  var route: ListRoute
  var limit: Int

  /// Throws `BadRequest` for an invalid value, and the errors of names and queries.
  init(_ parameters: HTTPParameters, _ filters: FilterResolver, now: Timestamp) async throws {
    func flag(_ name: String) throws(BadRequest) -> Bool {
      switch parameters.first(name) {
      case nil, "0", "false": return false
      case "", "1", "true": return true
      default: throw BadRequest("\(name) takes 1 or 0")
      }
    }
    func time(_ name: String) throws(BadRequest) -> Timestamp? {
      guard let text = parameters.first(name), !text.isEmpty else { return nil }
      guard let time = TimeExpression.parse(text, now: now) else {
        throw BadRequest("\(name) takes a time such as \(TimeExpression.examples), not '\(text)'")
      }
      return time
    }
    let typed = try QueryParser.parse(parameters.first("query") ?? "", now: now)
    var order = typed.order ?? .newest
    if let text = parameters.first("sort"), !text.isEmpty, typed.order == nil {
      guard let known = ItemOrder(rawValue: text) else {
        throw BadRequest("sort takes newest, oldest or relevance")
      }
      order = known
    }
    let filter = ItemFilter(
      feeds: parameters.all("feed").filter { !$0.isEmpty },
      folders: parameters.all("folder").filter { !$0.isEmpty },
      labels: parameters.all("label").filter { !$0.isEmpty },
      isRead: try flag("unread") ? false : nil,
      isStarred: try flag("starred") ? true : nil,
      since: try time("since"),
      until: try time("until"),
      storedSince: try time("stored-since"),
      query: typed.query
    )
    // Resolve names once, so that an unknown one is reported before the answer begins.
    var resolved = ItemFilter()
    resolved.query = try await filters.query(filter)
    route = ListRoute(filter: resolved, order: order, foldsStories: try flag("cluster"))
    if let before = try parameters.number("before") {
      guard order != .relevance else { throw BadRequest("before has no effect with sort=relevance") }
      guard before > 0 else { throw BadRequest("before is not the id of an item") }
      route.continuing = NewsItem.ID(rawValue: before)
    }
    let number = try parameters.number("n") ?? parameters.number("limit") ?? 0
    limit = number == 0 ? .max : Int(clamping: number)
  }
}

/// The format that a request asks for.
struct ItemFormat {
  let output: ItemOutput
  let contentType: String

  init(
    _ parameters: HTTPParameters,
    usual: OutputFormat = .json,
    _ api: OwnAPI,
    document: OutputDocument? = nil
  ) throws {
    let shape = try Self.shape(parameters, usual, among: OutputFormat.forItems, api)
    output = try ItemOutput(shape, document: document, richText: api.richText)
    contentType = shape.format.contentType
  }

  /// The output that the parameters ask for.
  static func shape(
    _ parameters: HTTPParameters,
    _ usual: OutputFormat = .json,
    among formats: [OutputFormat],
    _ api: OwnAPI
  ) throws -> OutputShape {
    OutputShape(
      format: try format(parameters, usual, among: formats),
      fields: parameters.first("fields").map { $0.split(ascii: ",").map(String.init) },
      header: parameters.first("header").map { $0 != "0" && $0 != "false" },
      template: parameters.first("template"),
      terminal: api.terminal
    )
  }

  private static func format(
    _ parameters: HTTPParameters,
    _ usual: OutputFormat,
    among formats: [OutputFormat]
  ) throws -> OutputFormat {
    guard let name = parameters.first("format"), !name.isEmpty else { return usual }
    let format = try OutputFormat(named: name, among: formats)
    guard format != .text, format != .maildir else {
      throw BadRequest("the \(name) format is for terminals and directories; ask for json")
    }
    return format
  }
}

extension OutputFormat {
  var contentType: String {
    switch self {
    case .json, .greaderJSON: "application/json; charset=utf-8"
    case .jsonl: "application/x-ndjson; charset=utf-8"
    case .tsv: "text/tab-separated-values; charset=utf-8"
    case .csv: "text/csv; charset=utf-8"
    case .atom: "application/atom+xml; charset=utf-8"
    case .rss: "application/rss+xml; charset=utf-8"
    case .jsonfeed: "application/feed+json; charset=utf-8"
    case .html: "text/html; charset=utf-8"
    case .markdown: "text/markdown; charset=utf-8"
    case .mbox: "application/mbox"
    case .opml: "text/x-opml; charset=utf-8"
    default: "text/plain; charset=utf-8"
    }
  }
}
