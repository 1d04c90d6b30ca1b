public import Modules
public import NewsCore

/// The number of a screen; numbers are never reused.
public struct ScreenID: Hashable, Sendable {
  var number: Int
}

/// An event that changes the reader's state.
public enum ReaderEvent: Sendable {
  case input(ReaderInput)
  case resized(ScreenSize)
  /// A screen's module has emitted a container.
  case loaded(ScreenID, generation: Int, LoadedContent)
  /// The store has changed, by this or another process.
  case changed(StoreChanges)
  /// The outcome of a mark that the reader requested.
  case marked(Container<MarkViewModel>, MarkRequest)
  /// The delay that a screen requested is over.
  case due(ScreenID, generation: Int)
  /// Progress of a refresh that the reader has started.
  case refreshing(Container<RefreshViewModel>)
  case added(Container<FeedsAddViewModel>, FeedsAddRoute)
  /// The outcome of renaming, moving or removing a subscription.
  case edited(Container<SubscriptionsViewModel>)
  /// The outcome of saving or removing a search, and the message for success.
  case saved(Container<RecordList<SavedSearch>>, DisplayText)
  /// Earlier searches, the newest first.
  case history([String])
  /// The total number of matches of a search.
  case counted(ScreenID, generation: Int, Int)
  /// Candidates for the last word of the line `of`.
  case completed([String], of: String)
  case command(ReaderCommand)
  /// A program must run on the terminal.
  case run(ForegroundCall)
  /// The result of work that no screen shows.
  case told(ReaderMessage)
  /// The terminal was closed, or a signal asks the process to end.
  case ended
}

/// An action that the reader's state requests. Effects are values, so that tests can compare them.
public enum ReaderEffect: Sendable {
  case load(ScreenID, generation: Int, LoadRequest)
  /// Marks are written one after the other, in the order of the keys.
  case mark(MarkRequest)
  case wake(ScreenID, generation: Int, seconds: Double)
  case refresh(RefreshRoute)
  case add(FeedsAddRoute)
  case edit(SubscriptionsRoute)
  case save(query: String, name: String)
  /// Removes the saved search with that name.
  case forget(String)
  case history
  case count(ScreenID, generation: Int, SearchRoute)
  case complete(String)
  case command(String)
  /// Sends the item's text to a shell command.
  case pipe(NewsItem.ID, String)
  case label(LabelRequest)
  /// Passes the item to the hooks that save items.
  case saveItem(NewsItem.ID)
  /// Plays the item's recording at that address; nil: the first unfinished recording.
  case play(NewsItem.ID, url: String?)
  /// Stores how far a recording was played.
  case played(PlaybackRequest)
  /// Sends the item to the configured program with that name.
  case act(NewsItem.ID, String)
  case run(ForegroundCall)
  case copy(String)
  case redraw
  case suspend
}

/// The request of a screen to its module.
public enum LoadRequest: Sendable {
  case subscriptions
  case headlines(HeadlineSource, HeadlinePart, remembers: Bool)
  case item(NewsItem.ID, marksRead: Bool)
  case versions(NewsItem.ID)
  case difference(NewsItem.ID)
  case status, failures
  case plan(horizon: Int64)
}

/// The answer of a module.
public enum LoadedContent: Sendable {
  case subscriptions(Container<SubscriptionsViewModel>)
  case headlines(Container<HeadlineWindow>, HeadlinePart)
  case item(Container<NewsItemViewModel>)
  case versions(Container<RecordList<VersionRecord>>)
  case difference(Container<ItemDifferenceViewModel>)
  case status(Container<StatusViewModel>)
  case failures(Container<RecordList<FailureReport.Entry>>)
  case plan(Container<RecordList<PollPlan.Entry>>)
}

/// The meaning of a line of the command prompt.
public enum ReaderCommand: Sendable {
  /// The reader opens a screen for the route or carries it out itself.
  case route(Route)
  /// The line runs as a command in a separate process.
  case program(ForegroundCall)
}

/// The command line, for the command prompt.
public protocol ReaderCommands: Sendable {
  /// Parses a line of the command prompt.
  func read(_ line: String) async throws -> ReaderCommand
  /// Candidates for the last word of the line.
  func completions(of line: String) async -> [String]
}

/// A mark to be written.
public struct MarkRequest: Hashable, Sendable {
  public var route: MarkRoute
  /// True: the mark can be undone; it is added to the undo stack when the changed items are known.
  public var isUndoable: Bool
  /// The number of the step of the undo stack that has the mark's items already; nil if there is none.
  public var step: Int?
}

/// A message shown until the next key.
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
