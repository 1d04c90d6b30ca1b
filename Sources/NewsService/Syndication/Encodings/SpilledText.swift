import Glibc
import NewsToolbox

/// A long document converted to UTF-8 in an unnamed temporary file, to save memory.
struct SpilledText: ~Copyable {
  private let mapping: MappedBytes
  let check: UTF8Check

  /// Converts a document to a temporary file; nil if the file cannot be written.
  init?(
    _ text: borrowing DocumentText,
    _ document: UnsafeBufferPointer<UInt8>,
    _ pages: DocumentPages?
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
    guard fflush(file) == 0, ferror(file) == 0, let mapping = MappedBytes(fileno(file), size: size) else {
      return nil
    }
    self.check = check
    self.mapping = mapping
  }

  /// Calls `body` with the bytes, which are valid only during the call.
  borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try mapping.withBytes(body)
  }
}
