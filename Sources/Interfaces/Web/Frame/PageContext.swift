import Modules
import NewsCore
import NewsHTTP

/// The data that a page needs besides its own content.
struct PageContext: Sendable {
  var site: WebSite
  /// The session of the request; nil: no user is logged in.
  var session: WebSession?
  var navigation = Navigation()
  var notices: [Notice] = []
  /// The refresh in progress, or the last one if it failed; nil: none.
  var refresh: Container<RefreshViewModel>?
  /// The path of this page with its query; forms return to it.
  var here = "/unread"
  var preferences = PagePreferences()
  /// The paths of the icons of the feeds that the page shows.
  var icons: [Feed.ID: String] = [:]
  /// The secret that signs the addresses of media on newsd.
  var mediaSecret: [UInt8]?
  /// True: the page loads pictures and recordings from newsd.
  var relaysMedia = false
  /// The path of the style sheet of `web.stylesheet`; nil: there is none.
  var ownStyle: String?
  /// The name under which the browser keeps pages of the account; nil: it keeps none.
  var shelf: String?
  var times: TimeDisplay

  /// The addresses of the media of a feed's items; nil: those of the publishers.
  func media(of feed: Feed.ID) -> MediaAddresses? {
    relaysMedia ? mediaSecret.map { MediaAddresses(feed: feed, secret: $0) } : nil
  }

  /// Returns the attribute with newsd's address of a recording's chapters; nil if the recording has no chapters.
  func chapters(_ url: String?, of feed: Feed.ID) -> MarkupAttribute? {
    guard let url, let mediaSecret else { return nil }
    return MediaAddress(.chapters, feed, url).path(secret: mediaSecret).map {
      MarkupAttribute.path("data-chapters", $0)
    }
  }

  /// The attribute with the address of a picture or recording; nil if a page must not load it.
  func source(
    _ name: StaticString,
    _ kind: MediaAddress.Kind,
    _ url: String?,
    of feed: Feed.ID
  ) -> MarkupAttribute? {
    guard let url else { return nil }
    guard let media = media(of: feed) else { return MarkupAttribute.source(name, outside: url) }
    return media.path(kind, url).map { MarkupAttribute.path(name, $0) }
  }

  /// The session's token, which every form contains.
  var formToken: String { session?.formToken ?? "" }
}

/// The pages that the masthead links to.
enum PagePlace: Hashable, Sendable { case unread, starred, all, feeds, search, elsewhere }

/// A part of a page that the script asks for, to show it without loading the whole page.
enum PagePart: String, Sendable {
  case list, article, adding, menu, rows, tree
  /// The whole page for the browser's worker, which keeps it instead of showing it.
  case kept

  /// The parameter of the address that names the part.
  static let parameter = "part"

  init?(_ request: HTTPRequest) {
    guard let part = request.query.first(Self.parameter).flatMap({ PagePart(rawValue: $0) }) else {
      return nil
    }
    self = part
  }
}
