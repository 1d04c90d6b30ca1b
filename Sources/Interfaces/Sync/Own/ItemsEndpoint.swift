import NewsHTTP
import Modules
import NewsCore
import NewsFormats
import NewsText
import NewsToolbox

/// `GET /api/items`: items in any machine format of the command line.
struct ItemsEndpoint: OwnEndpoint {
  let api: OwnAPI

  func answer(_ request: HTTPRequest) async throws -> HTTPReply {
    let selection = try await ItemSelection(request.query, api.filters, now: api.clock.now())
    let format = try ItemFormat(request.query, api)
    let body = ItemPages(api, selection, format.output)
    // Errors of the first page get a status; later errors can only end the connection.
    try await body.prepare()
    let reply = SyncReply.stream(type: format.contentType, body)
    // The document contains markup from feeds, which must not run as part of newsd's own pages.
    return format.output.shape.format == .html
      ? reply.with(
        "Content-Security-Policy",
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src *"
      )
      : reply
  }
}

/// Writes items page by page with the encoder of a format.
actor ItemPages: HTTPBodyStream {
  /// How many items are read at a time at most, and how many bytes of texts end a page before.
  private static let (pageSize, pageBytes) = (100, 1 << 18)

  private let list: NewsListInteractor
  private let isNumbered: Bool
  private var route: ListRoute
  private var left: Int
  /// The bytes of text that the document may still have.
  private var room: Int
  private var count = 0
  private var view: any ContentView<NewsListViewModel>
  private var waiting: NewsListViewModel?
  private var hasBegun = false
  private var isDone = false

  /// The document ends after `bytes` of text.
  init(_ api: OwnAPI, _ selection: ItemSelection, _ output: ItemOutput, within bytes: Int = .max) {
    list = NewsListInteractor(
      news: api.store,
      filters: api.filters,
      presenter: NewsListPresenter(output.needs, times: output.shape.terminal.times, counts: false)
    )
    let route = selection.route
    self.route = route
    // Folding stories and sorting by relevance need the whole list, so their pages continue by number.
    isNumbered = route.order == .relevance || route.foldsStories
    left = selection.limit
    room = bytes
    view = output.view(text: NewsListView(terminal: output.shape.terminal, footer: nil))
  }

  /// Reads the first page.
  func prepare() async throws {
    if waiting == nil { waiting = try await read() }
  }

  private func read() async throws -> NewsListViewModel {
    route.extent = .portion(
      after: isNumbered ? count : 0,
      size: min(left, Self.pageSize),
      bytes: Self.pageBytes
    )
    let result = try await ModuleRunning.contents(of: list, route)
    if let failure = result.failure { throw failure }
    return result.contents.last ?? NewsListViewModel(items: [])
  }

  func next() async throws -> [UInt8]? {
    guard !isDone else { return nil }
    try await prepare()
    guard let content = waiting else { return nil }
    waiting = nil
    let bytes = content.items.reduce(0) { $0 + $1.item.textBytes }
    let isLast = content.items.count < min(left, Self.pageSize) && bytes < Self.pageBytes
    left -= content.items.count
    count += content.items.count
    room -= bytes
    route.continuing = isNumbered ? route.continuing : content.items.last?.item.id
    isDone = isLast || left == 0 || room <= 0
    return try render(content)
  }

  private func render(_ content: NewsListViewModel) throws -> [UInt8] {
    var buffer = ByteBuffer(capacity: 64 << 10)
    if !hasBegun { try view.begin(&buffer) }
    hasBegun = true
    try view.render(content, isLast: isDone, &buffer)
    if isDone { try view.end(&buffer) }
    return buffer.withBytes { Array($0) }
  }
}

/// `GET /q/NAME.atom`, `.rss` or `.json`: the newest items of a saved search as a feed.
struct SavedSearchEndpoint: OwnEndpoint {
  private static let usualCount: Int64 = 50
  private static let largestCount: Int64 = 500
  private static let largestBytes = 16 << 20
  /// A longer document is made twice: for its ETag, and while it is sent.
  private static let keptBytes = 1 << 18

  let api: OwnAPI

  func answer(_ request: HTTPRequest) async throws -> HTTPReply {
    let file = request.path.dropFirst().joined(separator: "/")
    guard let (name, ending) = file.cut(atLast: "."), !name.isEmpty else {
      throw BadRequest("name a saved search and a format: /q/NAME.atom, .rss or .json", status: 404)
    }
    let formats = ["atom": OutputFormat.atom, "xml": .atom, "rss": .rss, "json": .jsonfeed]
    guard let format = formats[String(ending)] else {
      throw BadRequest("saved searches are published as .atom, .rss and .json", status: 404)
    }
    guard let search = try await api.store.savedSearch(named: String(name)) else {
      throw BadRequest(
        "there is no saved search '\(name)'; 'newsd search QUERY --save NAME' makes one",
        status: 404
      )
    }
    let count = min(max(try request.query.number("n") ?? Self.usualCount, 1), Self.largestCount)
    let parameters = HTTPParameters([("query", search.query), ("n", String(count))])
    let selection = try await ItemSelection(parameters, api.filters, now: api.clock.now())
    // Give no time of creation, so that an unchanged feed has the same bytes.
    let document = OutputDocument(
      title: search.name,
      identity: "search=\(search.name)",
      homeURL: request.site.url("/"),
      time: Timestamp(seconds: 0)
    )
    let output = try ItemFormat(HTTPParameters([("format", format.rawValue)]), api, document: document).output
    let pages = { ItemPages(api, selection, output, within: Self.largestBytes) }
    let first = pages()
    var hash = FNV1a<UInt128>()
    var bytes: [UInt8]? = []
    while let piece = try await first.next() {
      hash.add(piece)
      bytes = bytes.flatMap { $0.count + piece.count <= Self.keptBytes ? $0 + piece : nil }
    }
    let tag = "\"\(hash.value.hexDigits(32))\""
    let isKnown = request.has(entityTag: tag)
    let reply =
      if isKnown {
        HTTPReply(status: 304).with("Cache-Control", "private, no-cache")
      } else if let bytes {
        HTTPReply(type: format.contentType, bytes).with("Cache-Control", "private, no-cache")
      } else {
        SyncReply.stream(type: format.contentType, pages())
      }
    return reply.with("ETag", tag)
  }
}
