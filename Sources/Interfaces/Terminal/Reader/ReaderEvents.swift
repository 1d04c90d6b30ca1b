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
  /// Progress of a refresh that the reader has started.
  case refreshing(Container<RefreshViewModel>)
  case added(Container<FeedAdditionViewModel>, FeedAdditionRoute)
  /// A subscription has been renamed, moved or removed.
  case edited(Container<SubscriptionsViewModel>)
  /// A search has been saved or removed; what to say if it has.
  case saved(Container<SavedSearchesViewModel>, DisplayText)
  /// Earlier searches, the newest first.
  case history([String])
  /// How many items a search finds in all.
  case counted(ScreenID, generation: Int, Int)
  /// What can replace the last word of the line `of`.
  case completed([String], of: String)
  case command(ReaderCommand)
  /// A program is to have the terminal.
  case run(ForegroundCall)
  /// Something has ended, or failed, that no screen shows.
  case told(ReaderMessage)
  /// The terminal is gone, or the process was told to end.
  case ended
}

/// An action that the reader's state requests. Effects are values, so that tests can compare them.
public enum ReaderEffect: Sendable {
  case load(ScreenID, generation: Int, LoadRequest)
  /// Marks are written one after the other, in the order of the keys.
  case mark(MarkRequest)
  case wake(ScreenID, generation: Int, seconds: Double)
  case refresh(FetchRoute)
  case add(FeedAdditionRoute)
  case edit(SubscriptionsRoute)
  case save(query: String, name: String)
  /// Removes the saved search of that name.
  case forget(String)
  case history
  case count(ScreenID, generation: Int, SearchRoute)
  case complete(String)
  case command(String)
  /// The item's text to a line for the shell.
  case pipe(NewsItem.ID, String)
  /// The item to the configuration's program of that name.
  case act(NewsItem.ID, String)
  case run(ForegroundCall)
  case copy(String)
  case redraw
  case suspend
}

/// What a screen wants its module to be asked.
public enum LoadRequest: Sendable {
  case subscriptions
  case headlines(HeadlineSource, PagePlace, remembers: Bool)
  case item(NewsItem.ID, marksRead: Bool)
  case versions(NewsItem.ID)
  case difference(NewsItem.ID)
  case status, failures, plan
}

/// What modules answer.
public enum LoadedContent: Sendable {
  case subscriptions(Container<SubscriptionsViewModel>)
  case headlines(Container<HeadlineWindow>, PagePlace)
  case item(Container<NewsItemViewModel>)
  case versions(Container<ItemVersionsViewModel>)
  case difference(Container<ItemDifferenceViewModel>)
  case status(Container<StatusViewModel>)
  case failures(Container<FailuresViewModel>)
  case plan(Container<PollPlanViewModel>)
}

/// What a line of the command prompt means.
public enum ReaderCommand: Sendable {
  /// The reader has a screen for it, or does it beside its screens.
  case route(Route)
  /// It is run as a command of its own.
  case program(ForegroundCall)
}

/// The command line, for the command prompt.
public protocol ReaderCommands: Sendable {
  /// Reads a line as typed.
  func read(_ line: String) async throws -> ReaderCommand
  /// What can replace the last word of the line.
  func completions(of line: String) async -> [String]
}

/// A mark to be written.
public struct MarkRequest: Hashable, Sendable {
  public var route: MarkRoute
  /// True: the mark can be undone; it is added to the undo stack when the changed items are known.
  public var isUndoable: Bool
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
