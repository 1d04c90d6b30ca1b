/// The action of a key. The raw values are the names in the configuration's `keys:`.
public enum ReaderAction: String, Hashable, Sendable, CaseIterable {
  case next, previous
  case pageDown = "page-down", pageUp = "page-up", halfPageDown = "half-page-down", halfPageUp =
    "half-page-up"
  case first, last
  case open, back, quit, help, search, command, status, undo, redraw, suspend
  case refresh, refreshAll = "refresh-all"
  case nextUnread = "next-unread", previousUnread = "previous-unread"
  case nextItem = "next-item", previousItem = "previous-item"
  case toggleRead = "toggle-read", toggleStar = "toggle-star", markAllRead = "mark-all-read"
  case browse, browseAndMark = "browse-and-mark"
  case copyLink = "copy-link", pipe, act, label, save, play
  case filter, clearFilter = "clear-filter", toggleUnread = "toggle-unread", reverse, foldStories =
    "fold-stories"
  case saveSearch = "save-search"
  case versions, difference
  case add, rename, move, remove, settings, foldFolder = "fold-folder"
  /// The key does nothing here.
  case none
}

/// The screens on which a key is in force. The raw values are the sections of the configuration's `keys:`.
public enum KeyContext: String, Hashable, Sendable, CaseIterable {
  /// On every screen.
  case everywhere
  case subscriptions
  /// Lists of headlines, those of a search too.
  case list
  case item
  case status
  case help
}
