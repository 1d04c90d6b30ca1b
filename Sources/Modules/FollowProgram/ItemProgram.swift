public import NewsCore

/// A program to run for each item.
public struct ItemProgram: Hashable, Sendable {
  /// The program and its arguments.
  public var words: [String]
  /// Upper bound on concurrent runs.
  public var jobs: Int
  /// Upper bound on the runs for one item.
  public var tries: Int
  /// Timeout of a run in milliseconds; nil: none.
  public var timeout: Int?

  public init(words: [String], jobs: Int = 4, tries: Int = 5, timeout: Int? = nil) {
    self.words = words
    self.jobs = jobs
    self.tries = tries
    self.timeout = timeout
  }

  /// Returns the delay in seconds after that many failed tries: exponential backoff up to 60 seconds.
  func delay(after tries: Int) -> Int { min(1 << min(tries - 1, 6), 60) }
}

/// Encodes items for a program's standard input.
public struct ProgramInput: Sendable {
  /// The parts of an item that the encoding needs.
  public var parts: ItemParts
  /// The item as bytes.
  public var bytes: @Sendable (NewsItem) throws -> [UInt8]

  public init(parts: ItemParts, bytes: @escaping @Sendable (NewsItem) throws -> [UInt8]) {
    self.parts = parts
    self.bytes = bytes
  }
}
