import Glibc

/// A file that the system reads when somebody looks at it, and whose pages it may take back.
struct MappedFile: ~Copyable {
  private let bytes: UnsafeBufferPointer<UInt8>

  /// Nil for what cannot be mapped: a pipe, an empty file, one that is not there. `-` is standard input.
  init?(_ path: String) {
    let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
      return nil
    }
    // A script may have read some of its standard input already.
    guard lseek(descriptor, 0, SEEK_CUR) == 0 else { return nil }
    let size = Int(status.st_size)
    guard let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), address != MAP_FAILED else {
      return nil
    }
    bytes = UnsafeBufferPointer(start: address.assumingMemoryBound(to: UInt8.self), count: size)
    Self.expectTruncation()
  }

  /// The bytes stay where they are while `body` runs.
  borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(bytes)
  }

  deinit {
    if let base = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: base), bytes.count) }
  }

  /// Somebody may shorten the file meanwhile: looking at what is gone is SIGBUS, and there is nothing left to read.
  private static func expectTruncation() {
    var action = sigaction()
    // Only what signal-safety(7) allows.
    action.__sigaction_handler.sa_handler = { _ in
      let message: StaticString = "newsd: the file was cut off while it was read\n"
      _ = write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
      _exit(74)
    }
    sigaction(SIGBUS, &action, nil)
  }
}
