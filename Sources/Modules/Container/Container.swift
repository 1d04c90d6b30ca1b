import NewsCore

/// What every screen shares, around a module's own view model: is it there, is it coming, did it fail.
///
/// One value, so that it cannot be loading and failed at once. The content survives a reload and a failure: old rows stay
/// on the screen under a loading mark or beside an error. What leaves a presenter is a sequence of containers; a one-shot
/// command is the case where the sequence ends after the first one that is ready or failed.
public struct Container<Content: Sendable>: Sendable {
  public enum Phase: Hashable, Sendable {
    /// Nothing more will come.
    case ready
    /// More will come.
    case loading(Progress)
    /// Nothing more will come, and this is why.
    case failed(UserMessage)
  }

  public let phase: Phase
  /// Nil: nothing to show yet. Never nil when ready.
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

  /// What one look at the store gives: ready with it, or failed with the reason.
  static func loaded(_ body: () async throws(StoreError) -> Content) async -> Container {
    await answered { () async throws(StoreError) in .ready(try await body()) }
  }

  /// The same for who may have a message of its own to give.
  static func answered(_ body: () async throws(StoreError) -> Container) async -> Container {
    do {
      return try await body()
    } catch {
      return .failed(UserMessage(error))
    }
  }

  /// The same content while something newer is on its way.
  public func reloading(_ progress: Progress = Progress()) -> Container {
    Container(phase: .loading(progress), content: content)
  }

  /// The same content after an attempt to replace it failed.
  public func failing(_ message: UserMessage) -> Container {
    Container(phase: .failed(message), content: content)
  }

  /// What went wrong, if something did.
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

/// How far something has come.
public struct Progress: Hashable, Sendable {
  public var done: Int
  /// Nil: not known.
  public var total: Int?

  public init(done: Int = 0, total: Int? = nil) {
    self.done = done
    self.total = total
  }
}

/// A view model that can say how many things it shows; commands end with status 1 when that is none.
public protocol ScreenContent: Sendable {
  var rowCount: Int { get }
}

/// Where an interactor sends its containers, in order.
///
/// Synchronous, so that rows can be emitted from inside a read of the store. What it throws (a closed pipe, a full disk)
/// ends the run and is thrown on to whoever started it; nothing else is thrown by an interactor.
public typealias Emit<Content: Sendable> = @Sendable (Container<Content>) throws -> Void
