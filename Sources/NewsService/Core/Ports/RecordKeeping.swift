/// A folder of recorded exchanges.
public protocol RecordKeeping: Sendable {
  /// Writes a file of that plain name, replacing an existing one.
  func write(_ bytes: [UInt8], named name: String) throws(FileError)
  /// The names of all files, sorted.
  func names() throws(FileError) -> [String]
  func read(named name: String) throws(FileError) -> [UInt8]
}
