public import Modules
import NewsToolbox
import Synchronization

/// Runs a module's view in a one-shot command: passes content to the view, and shows progress, notes and errors
/// itself.
///
/// Results go to `output`; progress, notes and errors go to `messages`, so that pipes contain only results. Buffers
/// some 64 KiB before it writes, unless `flushesAlways` is set.
public final class Screen<Content: ScreenContent>: Sendable {
  private struct State: ~Copyable {
    var view: any ContentView<Content>
    var buffer = ByteBuffer(capacity: 80 << 10)
    var hasBegun = false
    var hasProgressLine = false
    var lastDrawn: ContinuousClock.Instant?
    var rows = 0
    var failsIfEmpty = false
    var hasNotes = false
    var answer = ExitStatus.done
    var failure: UserMessage?
  }

  private static var flushSize: Int { 64 << 10 }

  private let state: Mutex<State>
  private let output: any OutputWriter
  private let messages: any OutputWriter
  private let progress: ProgressLine?
  private let help: String?
  private let isQuiet: Bool
  private let flushesAlways: Bool
  private let tellsOfNothing: Bool

  /// - Parameters:
  ///   - view: The view that renders the content.
  ///   - output: Destination of results.
  ///   - messages: Destination of progress, notes, warnings and errors.
  ///   - progress: The progress line; nil: progress is not shown.
  ///   - help: The pointer to help that ends usage errors: "'newsd help list' says more"; nil: none.
  ///   - isQuiet: True: omit notes.
  ///   - flushesAlways: True: write after every container, as streams require.
  ///   - tellsOfNothing: True: report an empty list. Programs get an empty output instead.
  public init(
    view: any ContentView<Content>,
    output: any OutputWriter,
    messages: any OutputWriter,
    progress: ProgressLine? = nil,
    help: String? = nil,
    isQuiet: Bool = false,
    flushesAlways: Bool = false,
    tellsOfNothing: Bool = false
  ) {
    self.state = Mutex(State(view: view))
    self.output = output
    self.messages = messages
    self.progress = progress
    self.help = help
    self.isQuiet = isQuiet
    self.flushesAlways = flushesAlways
    self.tellsOfNothing = tellsOfNothing && !isQuiet
  }

  /// Number of rows shown.
  public var rowCount: Int { state.withLock { $0.rows } }

  /// Exit status: the code of the failure, 1 if a search found nothing, else the content's `answer`.
  public var exitStatus: ExitStatus {
    state.withLock { state in
      if let failure = state.failure { return failure.code }
      return state.failsIfEmpty && state.rows == 0 ? ExitStatus.nothingMatched : state.answer
    }
  }

  /// The function that interactors emit to.
  public var emit: Emit<Content> {
    { [self] container in try show(container) }
  }

  public func show(_ container: Container<Content>) throws(OutputError) {
    try state.withLock { (state: inout sending State) throws(OutputError) in
      let lines = container.content.map(messageLines) ?? []
      if let content = container.content {
        if !state.hasBegun {
          try state.view.begin(&state.buffer)
          state.hasBegun = true
        }
        try state.view.render(content, isLast: container.isLast, &state.buffer)
        state.rows += content.rowCount
        state.failsIfEmpty = content.failsIfEmpty
        state.answer = content.answer
        state.hasNotes = state.hasNotes || !content.notes.isEmpty
        if container.isLast { try state.view.end(&state.buffer) }
      }
      let isDue = flushesAlways || !lines.isEmpty || state.buffer.count >= Self.flushSize
      if container.isLast || isDue { try flush(&state) }
      for line in lines { try writeMessage(line, &state) }
      switch container.phase {
      case .loading(let progress): try draw(progress, &state)
      case .ready:
        try erase(&state)
        guard tellsOfNothing, state.rows == 0, !state.hasNotes else { break }
        if let nothing = container.content?.nothing { try writeMessage(nothing.string, &state) }
      case .failed(let message):
        state.failure = message
        try writeMessage("newsd: " + DisplayText(block: message.text(pointingTo: help)).string, &state)
      }
    }
  }

  private func messageLines(_ content: Content) -> [String] {
    content.warnings.map { "newsd: " + $0.string } + (isQuiet ? [] : content.notes.map(\.string))
  }

  private func flush(_ state: inout State) throws(OutputError) {
    guard state.buffer.count > 0 else { return }
    try erase(&state)
    try state.buffer.withBytes { bytes throws(OutputError) in try output.write(bytes) }
    state.buffer.removeAll()
  }

  private func writeMessage(_ line: String, _ state: inout State) throws(OutputError) {
    try erase(&state)
    try messages.write(Array((line + "\n").utf8))
  }

  private func draw(_ progress: Progress, _ state: inout State) throws(OutputError) {
    guard let line = self.progress else { return }
    let now = ContinuousClock.now
    if let last = state.lastDrawn, now - last < line.interval { return }
    let text = line.text(progress)
    guard !text.isEmpty else { return }
    state.lastDrawn = now
    try erase(&state)
    try messages.write(Array(text.utf8))
    state.hasProgressLine = true
  }

  private func erase(_ state: inout State) throws(OutputError) {
    guard state.hasProgressLine else { return }
    try messages.write(Array(ProgressLine.erasure.description.utf8))
    state.hasProgressLine = false
  }
}
