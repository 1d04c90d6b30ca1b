/// A folder of recorded exchanges.
public protocol RecordKeeping: Sendable {
  /// Writes the file `name` (no path), replacing an existing one.
  func write(_ bytes: [UInt8], named name: String) throws(FileError)
  /// Returns the names of all files, sorted.
  func names() throws(FileError) -> [String]
  func read(named name: String) throws(FileError) -> [UInt8]
}
