/// A call of a program as a list of words, never as a shell command line.
public struct ProgramCall: Hashable, Sendable {
  /// The program and its arguments, never empty. A program name without a slash is looked up in PATH.
  public var words: [String]
  /// Bytes for the program's standard input.
  public var input: [UInt8]
  /// Limit on standard output, in bytes; a program that exceeds it is ended. Nil: the program inherits newsd's standard
  /// output.
  public var outputBytes: Int?
  /// Time limit in milliseconds; nil: none.
  public var timeout: Int?
  /// Milliseconds between cancellation and SIGTERM.
  public var grace: Int
  /// Variables that the program gets besides newsd's environment.
  public var environment: [String: String] = [:]

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
    /// The program could not be started; the text is the reason.
    case notStarted(String)
    case timedOut
    case tooMuchOutput
    case cancelled
  }

  public var end: End
  /// Standard output, up to the limit.
  public var output: [UInt8]
  /// The beginning of standard error if output is captured, otherwise empty.
  public var errors: [UInt8]

  public init(end: End, output: [UInt8] = [], errors: [UInt8] = []) {
    self.end = end
    self.output = output
    self.errors = errors
  }

  public var isSuccess: Bool { end == .exited(status: 0) }

  /// A verb phrase for messages: `ended with status 3`, …
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
  /// Runs the program to its end, in its own process group, without a shell. Cancelling the task ends the program.
  func run(_ call: ProgramCall) async -> ProgramResult
}
