import Glibc

/// A long document converted to UTF-8 in an unnamed temporary file, to save memory.
struct SpilledText: ~Copyable {
  private let bytes: UnsafeBufferPointer<UInt8>
  let check: UTF8Check

  /// Nil if no temporary file can be written.
  init?(
    _ text: borrowing DocumentText,
    _ document: UnsafeBufferPointer<UInt8>,
    _ pages: DocumentPages
  ) {
    guard text.converter != nil, let file = tmpfile() else { return nil }
    defer { fclose(file) }
    var size = 0
    var check = UTF8Check()
    text.forEachPiece(of: document, pages) { piece in
      size += piece.count
      check.add(UTF8Check(piece))
      return fwrite(piece.baseAddress, 1, piece.count, file) == piece.count
    }
    guard size > 0, fflush(file) == 0, ferror(file) == 0,
      let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, fileno(file), 0), address != MAP_FAILED
    else { return nil }
    self.check = check
    bytes = UnsafeBufferPointer(start: address.assumingMemoryBound(to: UInt8.self), count: size)
  }

  /// Calls `body` with the bytes, which are valid only during the call.
  borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(bytes)
  }

  deinit {
    if let base = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: base), bytes.count) }
  }
}
