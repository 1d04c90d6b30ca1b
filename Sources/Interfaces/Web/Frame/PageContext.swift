import Modules
import NewsCore

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
  var times: TimeDisplay

  /// The session's token, which every form contains.
  var formToken: String { session?.formToken ?? "" }
}

/// The preferences of a browser for pages, kept in its cookie.
struct PagePreferences: Hashable, Sendable {
  /// True: single keys perform actions on a page.
  var usesKeys = true

  static let cookieName = "newsd-view"

  init() {}

  /// Reads the cookie's value.
  init(cookie: String?) {
    usesKeys = cookie != "keys-off"
  }

  var cookie: String { usesKeys ? "keys-on" : "keys-off" }
}

/// The pages that the masthead links to.
enum PagePlace: Hashable, Sendable { case unread, starred, all, feeds, elsewhere }
