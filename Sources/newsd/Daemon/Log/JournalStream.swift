import Glibc

/// Detects whether standard error is connected to the systemd journal (`JOURNAL_STREAM`, systemd.exec(5)). If
/// so, lines begin with a priority, so that the journal classifies them.
enum JournalStream {
  static func isConnected(_ descriptor: Int32 = STDERR_FILENO, environment: [String: String]) -> Bool {
    guard
      let numbers = environment["JOURNAL_STREAM"]?.utf8.split(separator: UInt8(ascii: ":")).map({
        String($0) ?? ""
      }), numbers.count == 2
    else {
      return false
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return UInt64(numbers[0]) == UInt64(status.st_dev) && UInt64(numbers[1]) == UInt64(status.st_ino)
  }
}
