/// The lines of bytes, also the empty ones, one after the other: an array of short lines would take many times the memory of
/// the bytes.
public struct ByteLines: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>
  private var isAtEnd = false

  public init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  public mutating func next() -> ArraySlice<UInt8>? {
    guard !isAtEnd else { return nil }
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
      isAtEnd = true
      return rest
    }
    defer { rest = rest[(end + 1)...] }
    return rest[..<end]
  }
}
