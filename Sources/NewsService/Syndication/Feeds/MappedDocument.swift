import Glibc
import NewsToolbox

/// A document in a file that is mapped into memory: pages are read on first access and can be evicted.
struct MappedDocument: ~Copyable {
  private let mapping: MappedBytes

  /// Maps a file; `-` is standard input. Returns nil for a pipe, an empty file or a missing file, which cannot be
  /// mapped.
  init?(_ path: String) {
    let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
      return nil
    }
    // A script may have read a part of standard input already.
    guard lseek(descriptor, 0, SEEK_CUR) == 0 else { return nil }
    guard let mapping = MappedBytes(descriptor, size: Int(status.st_size)) else { return nil }
    self.mapping = mapping
    Self.expectTruncation()
  }

  /// Calls `body` with the bytes, which are valid only during the call.
  borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try mapping.withBytes(body)
  }

  /// Installs a SIGBUS handler that ends newsd with a message. Access beyond the end of a mapping raises SIGBUS if
  /// another process has truncated the file.
  private static func expectTruncation() {
    var action = sigaction()
    // Calls only functions that signal-safety(7) lists.
    action.__sigaction_handler.sa_handler = { _ in
      let message: StaticString = "newsd: another process truncated the file while newsd read it\n"
      _ = write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
      _exit(74)
    }
    sigaction(SIGBUS, &action, nil)
  }
}
