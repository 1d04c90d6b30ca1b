public import Modules
import Synchronization

/// A passive view: renders contents, in order, as bytes. Knows one module's view model and nothing of where it comes from.
public protocol ContentView<Content>: Sendable {
  associatedtype Content: ScreenContent
  /// What stands before the first content: an opening bracket, a page header.
  mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError)
  mutating func render(_ content: Content, isLast: Bool, _ buffer: inout ByteBuffer) throws(OutputError)
  /// What stands after the last. Not called when the run fails, so that a broken document is seen to be one.
  mutating func end(_ buffer: inout ByteBuffer) throws(OutputError)
}

extension ContentView {
  public mutating func begin(_ buffer: inout ByteBuffer) {}
  public mutating func end(_ buffer: inout ByteBuffer) {}
}

/// The frame around every module's view: shows loading, tells of an error once, and hands the content to the view.
///
/// Results go to `output`; progress and errors to `messages`, so that pipes stay clean. Collects some 64 KiB before it
/// writes, unless someone watches.
public final class Screen<Content: ScreenContent>: Sendable {
  private struct State: ~Copyable {
    var view: any ContentView<Content>
    var buffer = ByteBuffer()
    var hasBegun = false
    var rows = 0
    var failure: UserMessage?
  }

  private static var flushSize: Int { 64 << 10 }

  private let state: Mutex<State>
  private let output: any OutputWriter
  private let messages: any OutputWriter
  private let flushesAlways: Bool

  /// - Parameters:
  ///   - view: What renders the content.
  ///   - output: For results.
  ///   - messages: For errors.
  ///   - flushesAlways: Write after every container, as streams that someone waits for need it.
  public init(
    view: any ContentView<Content>,
    output: any OutputWriter,
    messages: any OutputWriter,
    flushesAlways: Bool = false
  ) {
    self.state = Mutex(State(view: view))
    self.output = output
    self.messages = messages
    self.flushesAlways = flushesAlways
  }

  /// How many things were shown.
  public var rowCount: Int { state.withLock { $0.rows } }

  /// What the run ended with, if not well.
  public var failure: UserMessage? { state.withLock { $0.failure } }

  /// Status for the shell: 0, 1 when nothing was shown, else what failed.
  public var exitStatus: Int32 {
    state.withLock { state in
      if let failure = state.failure { return failure.code.rawValue }
      return state.rows == 0 ? UserMessage.Code.nothingMatched.rawValue : 0
    }
  }

  /// The function that interactors emit to.
  public var emit: Emit<Content> {
    { [self] container in try show(container) }
  }

  public func show(_ container: Container<Content>) throws(OutputError) {
    try state.withLock { (state: inout sending State) throws(OutputError) in
      if let content = container.content {
        if !state.hasBegun {
          try state.view.begin(&state.buffer)
          state.hasBegun = true
        }
        try state.view.render(content, isLast: container.isLast, &state.buffer)
        state.rows += content.rowCount
      }
      switch container.phase {
      case .loading:
        if flushesAlways || state.buffer.count >= Self.flushSize { try flush(&state.buffer) }
      case .ready:
        try state.view.end(&state.buffer)
        try flush(&state.buffer)
      case .failed(let message):
        // What was shown before it stays; the error follows.
        try flush(&state.buffer)
        state.failure = message
        try tell(message)
      }
    }
  }

  private func flush(_ buffer: inout ByteBuffer) throws(OutputError) {
    guard buffer.count > 0 else { return }
    try buffer.withBytes { bytes throws(OutputError) in try output.write(bytes) }
    buffer.removeAll()
  }

  private func tell(_ message: UserMessage) throws(OutputError) {
    var line = ByteBuffer(capacity: 256)
    line.append(literal: "newsd: ")
    line.append(DisplayText(block: message.text).string)
    line.newLine()
    try line.withBytes { bytes throws(OutputError) in try messages.write(bytes) }
  }
}
