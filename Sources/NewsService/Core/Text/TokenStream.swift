/// The tokens of a text, made beforehand: one thread splits a text into words, another one indexes them, and the
/// fingerprint takes them from here as well.
///
/// As bytes, each token is its length doubled, plus 1 where it is colocated, as an LEB128 number of one or two bytes,
/// and then its UTF-8.
public struct TokenStream: Hashable, Sendable {
  /// The first byte of `bytes`; no UTF-8 text has it (RFC 3629, section 1), so that both can be told apart.
  public static let mark: UInt8 = 0xFF

  /// `mark` and the tokens; empty where there are none. A text whose tokens would take many times its room, as a run of
  /// signs that stand for whole words can, is here itself.
  public private(set) var bytes: [UInt8] = []

  /// The tokens of `text` as a document.
  public init(_ text: String) {
    guard !text.isEmpty else { return }
    var text = text
    text.withUTF8 { source in
      // A word and the space behind it take as much room as its length and the word.
      var capacity = source.count + source.count / 8 + 64
      // Pairs of characters, and words in several forms, take more: as much more in the rest as up to there, it may be.
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

  /// Nil, or the offset in `source` from which on the tokens need more room.
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

  /// Calls `emit` with each token and whether it is colocated, until it returns false. Returns false when stopped.
  @discardableResult
  public func replay(_ emit: (_ token: UnsafeBufferPointer<UInt8>, _ isColocated: Bool) -> Bool) -> Bool {
    bytes.withUnsafeBufferPointer { Self.replay($0, emit) }
  }

  /// The same for `bytes`. What does not follow the format, as bytes of a damaged store may, ends it.
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
        // Words are at most some hundred bytes long: two bytes say all lengths there are.
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
