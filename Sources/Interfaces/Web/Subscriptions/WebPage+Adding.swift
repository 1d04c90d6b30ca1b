import Modules
import NewsCore
import NewsHTTP
import NewsToolbox

// MARK: - Adding a feed

extension WebPage {
  /// The page for adding a feed, to which its forms return.
  static let addingPath = "/feeds/add"

  /// Shows the form for looking feeds up. `address` in the query only fills the form: a link must not cause requests.
  func showAdding(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    await showAdding(FeedDraft(address: Self.shared(request)), nil, request, session)
  }

  /// The address that a link or another application gives. Applications that share a page may have its address in a text.
  private static func shared(_ request: HTTPRequest) -> String {
    if let address = request.query.first("address"), !address.isEmpty { return address }
    let words = (request.query.first("text") ?? "").split(ascii: "\n").flatMap { $0.split(ascii: " ") }
    return words.last { WebAddress.isWeb(String($0)) }.map(String.init) ?? ""
  }

  /// Looks up the feeds at the typed address.
  func findFeeds(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    var draft = FeedDraft(
      address: request.form.first("address") ?? "",
      folder: request.form.first("folder") ?? ""
    )
    if let problem = Self.addressProblem(draft.address) {
      draft.problem = UserMessage(code: .usage, text: problem)
      return await showAdding(draft, nil, request, session)
    }
    let found = await ModuleRun.last({ try modules.feedsFind() }, draft.address)
    draft.problem = found.failure
    return await showAdding(draft, found.content, request, session)
  }

  /// Shows why a feed was not added, on the page where its address was typed.
  func showRefused(_ draft: FeedDraft, _ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    guard Self.origin(of: request) == Self.addingPath else {
      return await showFeeds(request, session, draft: draft)
    }
    return await showAdding(draft, nil, request, session)
  }

  private func showAdding(
    _ draft: FeedDraft,
    _ found: FeedsFindViewModel?,
    _ request: HTTPRequest,
    _ session: WebSession
  ) async -> HTTPReply {
    let selection = FeedSelection(FeedWindow(.all), namesFolders: true)
    let list = await ModuleRun.last({ try modules.subscriptions() }, .list(selection)).content
    let context = await context(request, session)
    let view = AddingView(draft: draft, found: found, folders: list?.folderNames ?? [], context: context)
    let bytes =
      PagePart(request) == .adding
      ? PageFrame.renderPart(context) { view.render(into: &$0) }
      : PageFrame(title: Wording.addAFeed, place: .feeds).render(context) { view.render(into: &$0) }
    return PageReply.html(bytes, status: Self.status(draft.problem))
  }
}
