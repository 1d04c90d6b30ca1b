/// The tokens of a text, computed in advance: one thread tokenizes, another one indexes, and the search for stories
/// uses the same tokens.
///
/// Each token is encoded as a LEB128 number of one or two bytes, which is its length doubled plus 1 if it is colocated,
/// followed by its UTF-8.
public struct TokenStream: Hashable, Sendable {
  /// The first byte of `bytes`. No UTF-8 text contains it (RFC 3629 section 1), so it distinguishes tokens from plain
  /// text.
  public static let mark: UInt8 = 0xFF

  /// `mark` and the encoded tokens; empty if there are none. If the tokens would take more than four times the text's
  /// size, `bytes` is the text itself.
  public private(set) var bytes: [UInt8] = []

  /// Tokenizes `text` as a document.
  public init(_ text: String) {
    guard !text.isEmpty else { return }
    var text = text
    text.withUTF8 { source in
      // Estimate: a token's length takes one byte, as the space after its word does in the text.
      var capacity = source.count + source.count / 8 + 64
      // Character pairs and additional forms take more: estimate the total from the part that fitted.
      while let end = write(source, capacity: capacity) {
        capacity = max(
          capacity + capacity / 4,
          Int(Double(capacity) * Double(source.count) / Double(end) * 1.05)
        )
        guard capacity <= 4 * source.count + 64 else {
          bytes = Array(source)
          return
        }
      }
    }
  }

  /// Encodes the tokens. Returns the offset in `source` where `capacity` was exhausted; nil: all tokens are encoded.
  private mutating func write(_ source: UnsafeBufferPointer<UInt8>, capacity: Int) -> Int? {
    var end: Int?
    bytes = [UInt8](unsafeUninitializedCapacity: capacity) { room, count in
      guard let start = room.baseAddress else { return }
      start[0] = Self.mark
      var at = 1
      WordTokenizer.tokenize(source, mode: .document) { token in
        guard let word = token.bytes.baseAddress, at + token.bytes.count + 2 <= capacity else {
          end = max(token.end, 1)
          return false
        }
        let head = token.bytes.count << 1 | (token.isColocated ? 1 : 0)
        if head < 0x80 {
          start[at] = UInt8(truncatingIfNeeded: head)
        } else {
          start[at] = UInt8(truncatingIfNeeded: head) | 0x80
          at += 1
          start[at] = UInt8(truncatingIfNeeded: head >> 7)
        }
        (start + at + 1).update(from: word, count: token.bytes.count)
        at += 1 + token.bytes.count
        return true
      }
      count = at > 1 ? at : 0
    }
    return end
  }

  /// Calls `emit` with each token and whether it is colocated, until `emit` returns false. Returns false when stopped.
  @discardableResult
  public func replay(_ emit: (_ token: UnsafeBufferPointer<UInt8>, _ isColocated: Bool) -> Bool) -> Bool {
    bytes.withUnsafeBufferPointer { Self.replay($0, emit) }
  }

  /// Replays the tokens encoded in `bytes`. Stops at malformed bytes, which a damaged store may contain.
  @discardableResult
  public static func replay(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ emit: (_ token: UnsafeBufferPointer<UInt8>, _ isColocated: Bool) -> Bool
  ) -> Bool {
    guard bytes.first == mark else {
      return WordTokenizer.tokenize(bytes, mode: .document) { emit($0.bytes, $0.isColocated) }
    }
    var at = 1
    while at < bytes.count {
      var head = Int(bytes[at])
      at += 1
      if head >= 0x80 {
        // Two bytes suffice for all lengths: words have some hundred bytes at most.
        guard at < bytes.count, bytes[at] < 0x80 else { return true }
        head = head & 0x7F | Int(bytes[at]) << 7
        at += 1
      }
      let length = head >> 1
      guard length > 0, length <= bytes.count - at else { return true }
      guard emit(UnsafeBufferPointer(rebasing: bytes[at..<(at + length)]), head & 1 == 1) else {
        return false
      }
      at += length
    }
    return true
  }
}
