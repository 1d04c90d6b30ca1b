import NewsCore

/// A view model with the state of its screen: ready, loading or failed.
///
/// Content and state are one value, so that a screen cannot be loading and failed at once. An interactor emits a
/// sequence of containers. A one-shot command ends with the first container that is ready or failed. A live screen
/// merges each container with its predecessor (`after`), so that old content stays visible during loading and
/// beside an error.
public struct Container<Content: Sendable>: Sendable {
  public enum Phase: Hashable, Sendable {
    /// The content is complete; the sequence ends.
    case ready
    /// More containers follow.
    case loading(Progress)
    /// The sequence ends with an error.
    case failed(UserMessage)
  }

  public let phase: Phase
  /// The view model; nil while there is nothing to show yet. Never nil when ready.
  public let content: Content?

  private init(phase: Phase, content: Content?) {
    self.phase = phase
    self.content = content
  }

  public static func ready(_ content: Content) -> Container {
    Container(phase: .ready, content: content)
  }

  public static func loading(_ progress: Progress = Progress(), keeping content: Content? = nil) -> Container
  {
    Container(phase: .loading(progress), content: content)
  }

  public static func failed(_ message: UserMessage, keeping content: Content? = nil) -> Container {
    Container(phase: .failed(message), content: content)
  }

  /// Returns this container, with the content of `previous` if it has none. A live screen shows the result.
  public func after(_ previous: Container) -> Container {
    Container(phase: phase, content: content ?? previous.content)
  }

  /// Returns this container with its content converted by `transform`.
  public func map<Other>(_ transform: (Content) -> Other) -> Container<Other> {
    let content = content.map(transform)
    return switch phase {
    case .ready:
      if let content { .ready(content) } else { .loading() }
    case .loading(let progress): .loading(progress, keeping: content)
    case .failed(let message): .failed(message, keeping: content)
    }
  }

  /// The container without its error, if it has content. A live screen shows it after the user's next action.
  public var dismissed: Container {
    guard failure != nil, let content else { return self }
    return .ready(content)
  }

  /// The error; nil unless the phase is failed.
  public var failure: UserMessage? {
    guard case .failed(let message) = phase else { return nil }
    return message
  }

  /// True when the sequence of containers ends with this one.
  public var isLast: Bool {
    if case .loading = phase { return false }
    return true
  }
}

extension Container: Equatable where Content: Equatable {}

/// The progress of a loading screen.
public struct Progress: Hashable, Sendable {
  /// Name of the work: "exporting"; nil: the view shows no progress.
  public var activity: DisplayText?
  public var done: Int
  /// The total number of things; nil: unknown.
  public var total: Int?
  /// Name of the counted things, in the plural: "items"; nil: nothing is counted.
  public var unit: DisplayText?

  public init(
    _ activity: StaticString? = nil,
    done: Int = 0,
    total: Int? = nil,
    unit: StaticString? = nil
  ) {
    self.activity = activity.map { DisplayText($0) }
    self.done = done
    self.total = total
    self.unit = unit.map { DisplayText($0) }
  }

  /// Progress of work on the whole store.
  init(_ activity: StaticString, pages: StoreProgress) {
    self.init(activity, done: pages.done, total: pages.total, unit: "pages")
  }
}

/// The content of a screen, the same for every kind of output: text, formats, terminal and web page.
public protocol ScreenContent: Sendable {
  /// Number of rows shown.
  var rowCount: Int { get }
  /// Sentences about what was done; omitted in quiet mode.
  var notes: [DisplayText] { get }
  /// Sentences that are shown even in quiet mode.
  var warnings: [DisplayText] { get }
  /// The text that a terminal shows instead of an empty list; nil: none, or the notes say enough.
  var nothing: DisplayText? { get }
  /// True: a command without rows exits with status 1.
  var failsIfEmpty: Bool { get }
  /// Exit status of a command that did not fail.
  var answer: ExitStatus { get }
}

extension ScreenContent {
  public var notes: [DisplayText] { [] }
  public var warnings: [DisplayText] { [] }
  public var nothing: DisplayText? { nil }
  public var failsIfEmpty: Bool { false }
  public var answer: ExitStatus { .done }
}

/// Receives an interactor's containers, in order.
///
/// Synchronous, so that rows can be emitted while the store is being read. An error, such as a closed pipe or a
/// full disk, ends the run; the interactor rethrows it. The `emit` of a live screen never throws: it stores the
/// container and wakes the screen.
public typealias Emit<Content: Sendable> = @Sendable (Container<Content>) throws -> Void
