/// A folder of recorded exchanges.
public protocol RecordKeeping: Sendable {
  /// Writes a new file of that plain name; one that is there already is replaced.
  func write(_ bytes: [UInt8], named name: String) throws(RecordError)
  /// The names of all files, sorted.
  func names() throws(RecordError) -> [String]
  func read(named name: String) throws(RecordError) -> [UInt8]
}

/// Why a folder of recordings cannot be used.
public struct RecordError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried on which path, what happened, what to do.
  public let message: String
  public init(message: String) { self.message = message }
  public var description: String { message }
}
