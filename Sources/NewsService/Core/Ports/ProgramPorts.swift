/// A program to be run: words, never a line for a shell.
public struct ProgramCall: Hashable, Sendable {
  /// The program, looked up in PATH where it holds no slash, and its arguments. Never empty.
  public var words: [String]
  /// Bytes for the program's standard input.
  public var input: [UInt8]
  /// Bytes of standard output that are kept; more ends the program. Nil: it writes where newsd itself does.
  public var outputBytes: Int?
  /// Milliseconds it may take; nil: as long as it likes.
  public var timeout: Int?
  /// Milliseconds that it may run after its result was cancelled, before it gets SIGTERM.
  public var grace: Int

  public init(
    words: [String],
    input: [UInt8] = [],
    outputBytes: Int? = nil,
    timeout: Int? = nil,
    grace: Int = 0
  ) {
    self.words = words
    self.input = input
    self.outputBytes = outputBytes
    self.timeout = timeout
    self.grace = grace
  }
}

/// How a program ended.
public struct ProgramResult: Hashable, Sendable {
  public enum End: Hashable, Sendable {
    case exited(status: Int32)
    /// Ended by this signal.
    case signalled(Int32)
    /// It could not be started; why, in words.
    case notStarted(String)
    case timedOut
    case tooMuchOutput
    case cancelled
  }

  public var end: End
  /// Standard output, as far as it was kept.
  public var output: [UInt8]
  /// The beginning of standard error where output is kept too; else empty.
  public var errors: [UInt8]

  public init(end: End, output: [UInt8] = [], errors: [UInt8] = []) {
    self.end = end
    self.output = output
    self.errors = errors
  }

  public var isSuccess: Bool { end == .exited(status: 0) }

  /// `ended with status 3`, …
  public var outcome: String {
    switch end {
    case .exited(let status): "ended with status \(status)"
    case .signalled(let signal): "was ended by signal \(signal)"
    case .notStarted(let reason): "could not be started: \(reason)"
    case .timedOut: "took too long and was ended"
    case .tooMuchOutput: "wrote too much and was ended"
    case .cancelled: "was interrupted"
    }
  }
}

/// Runs other programs.
public protocol ProgramRunning: Sendable {
  /// Runs the program to its end, in a process group of its own, without a shell. Cancelling the task ends it.
  func run(_ call: ProgramCall) async -> ProgramResult
}
