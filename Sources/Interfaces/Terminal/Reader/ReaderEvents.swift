public import Modules
public import NewsCore

/// The number of a screen, never used again.
public struct ScreenID: Hashable, Sendable {
  var number: Int
}

/// What reaches the reader's state.
public enum ReaderEvent: Sendable {
  case input(ReaderInput)
  case resized(ScreenSize)
  /// A screen's module has emitted a container.
  case loaded(ScreenID, generation: Int, LoadedContent)
  /// The store has changed, by whichever process.
  case changed(StoreChanges)
  /// Items have got a mark that the reader asked for.
  case marked(Container<MarkViewModel>, MarkRequest)
  /// A screen asked for it some time ago.
  case due(ScreenID, generation: Int)
  /// A program that the reader ran has ended.
  case told(ReaderMessage)
  /// The terminal is gone, or the process was told to end.
  case ended
}

/// What the reader's state wants done. Effects are values, so that tests compare them.
public enum ReaderEffect: Sendable {
  case load(ScreenID, generation: Int, LoadRequest)
  /// Marks are written one after the other, in the order of the keys.
  case mark(MarkRequest)
  case wake(ScreenID, generation: Int, seconds: Double)
  case browse([String])
  case copy(String)
  case redraw
  case suspend
}

/// What a screen wants its module to be asked.
public enum LoadRequest: Sendable {
  case subscriptions
  case headlines(HeadlineSource, PagePlace, remembers: Bool)
  case item(NewsItem.ID, marksRead: Bool)
}

/// What modules answer.
public enum LoadedContent: Sendable {
  case subscriptions(Container<SubscriptionsViewModel>)
  case headlines(Container<HeadlineWindow>, PagePlace)
  case item(Container<NewsItemViewModel>)
}

/// A mark to be written.
public struct MarkRequest: Hashable, Sendable {
  public var route: MarkRoute
  /// True: it goes on the stack of what can be undone once it is known which items have changed.
  public var isUndoable: Bool
}

/// A part of the change log.
public struct StoreChanges: Sendable {
  /// Nil: too many to be listed.
  public var entries: [LogEntry]?

  public init(entries: [LogEntry]?) { self.entries = entries }

  /// The items that were removed.
  var removed: Set<NewsItem.ID> {
    Set(
      (entries ?? []).compactMap { entry in
        if case .item(let change) = entry, change.item == nil { change.itemID } else { nil }
      }
    )
  }

  /// The items that still exist, as they are now.
  var items: [NewsItem.ID: NewsItem] {
    var items: [NewsItem.ID: NewsItem] = [:]
    for case .item(let change) in entries ?? [] {
      if let item = change.item { items[change.itemID] = item }
    }
    return items
  }

  func merged(with later: StoreChanges) -> StoreChanges {
    guard let entries, let more = later.entries else { return StoreChanges(entries: nil) }
    return StoreChanges(entries: entries + more)
  }
}

/// A line for the user, until the next key.
public struct ReaderMessage: Hashable, Sendable {
  public var text: DisplayText
  public var isError: Bool

  public init(_ text: DisplayText, isError: Bool = false) {
    self.text = text
    self.isError = isError
  }

  public init(_ failure: UserMessage) {
    self.init(DisplayText(line: failure.text), isError: true)
  }
}
