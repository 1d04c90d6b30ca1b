import Glibc

/// A system call that failed.
public struct SystemError: Error, Hashable, Sendable {
  /// `errno`.
  public let code: Int32

  public init(code: Int32) {
    self.code = code
  }

  /// The error that `errno` has now.
  public static var last: SystemError { SystemError(code: errno) }

  /// The message of strerror(3).
  public var reason: String { String(cString: strerror(code)) }
}

/// Reads and writes files and streams. Interrupted calls of read(2) and write(2) are repeated.
public enum FileBytes {
  /// Reads a whole file.
  public static func read(_ path: String) throws(SystemError) -> [UInt8] {
    let descriptor = try open(path)
    defer { close(descriptor) }
    return try readAll(descriptor)
  }

  /// Opens a file for reading. `flags` are those of open(2) besides `O_RDONLY` and `O_CLOEXEC`. The caller
  /// closes the descriptor.
  public static func open(_ path: String, flags: Int32 = 0) throws(SystemError) -> Int32 {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | flags)
    guard descriptor >= 0 else { throw .last }
    return descriptor
  }

  /// Reads to the end, or a little more than `limit` bytes. The additional bytes tell the caller that the input is
  /// longer.
  public static func readAll(_ descriptor: Int32, limit: Int = .max) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 {
      bytes.reserveCapacity(min(Int(status.st_size), limit) + 1)
    }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { chunk.deallocate() }
    while bytes.count <= limit {
      let count = try read(descriptor, into: chunk)
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    return bytes
  }

  /// Makes one call of read(2), repeated only if interrupted. Returns the number of bytes; 0 at the end.
  public static func read(
    _ descriptor: Int32,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw .last }
    }
  }

  /// Reads at most `count` bytes from `offset` on; returns nil on failure.
  public static func read(_ descriptor: Int32, upTo count: Int, at offset: Int = 0) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, count, off_t(offset)) }
    guard found >= 0 else { return nil }
    bytes.removeLast(count - found)
    return bytes
  }

  /// Writes all of the bytes.
  public static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if count < 0, errno != EINTR { throw .last }
      written += max(count, 0)
    }
  }
}

/// A file mapped into memory: pages are read on first access and can be evicted.
public struct MappedBytes: ~Copyable {
  private let bytes: UnsafeBufferPointer<UInt8>

  /// Maps the first `size` bytes of an open file, which may then be closed; fails when the bytes cannot be mapped.
  public init?(_ descriptor: Int32, size: Int) {
    guard size > 0, let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0),
      address != MAP_FAILED
    else { return nil }
    bytes = UnsafeBufferPointer(start: address.assumingMemoryBound(to: UInt8.self), count: size)
  }

  /// Calls `body` with the bytes, which are valid only during the call.
  public borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(bytes)
  }

  deinit {
    if let base = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: base), bytes.count) }
  }
}
