import Glibc

/// Converts bytes to UTF-8 with iconv.
struct Transcoder: ~Copyable {
  private let descriptor: iconv_t

  /// Opens a converter; nil if the encoding is not allowed or iconv does not know it.
  init?(from encoding: String) {
    guard EncodingNames.isDecodable(encoding), let descriptor = iconv_open("UTF-8", encoding),
      descriptor != iconv_t(bitPattern: -1)
    else { return nil }
    self.descriptor = descriptor
  }

  deinit { iconv_close(descriptor) }

  /// Passes the text in pieces that end between characters, until `take` returns false. Returns how many invalid
  /// bytes were replaced by U+FFFD; nil if there were more than `maximumReplaced`.
  func decode(
    _ input: UnsafeBufferPointer<UInt8>,
    maximumReplaced: Int,
    _ take: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Int? {
    guard let base = input.baseAddress else { return 0 }
    _ = iconv(descriptor, nil, nil, nil, nil)
    var replaced = 0
    // iconv takes mutable input but never writes to it.
    var next: UnsafeMutablePointer<CChar>? = UnsafeMutableRawPointer(mutating: base)
      .assumingMemoryBound(to: CChar.self)
    var left = input.count
    let capacity = 64 * 1024
    return withUnsafeTemporaryAllocation(byteCount: capacity + 3, alignment: 16) { buffer -> Int? in
      guard let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
      var isFlushing = false
      while true {
        var out: UnsafeMutablePointer<CChar>? = start
        var room = capacity
        let status: Int
        if isFlushing {
          status = iconv(descriptor, nil, nil, &out, &room)
        } else {
          status = iconv(descriptor, &next, &left, &out, &room)
        }
        let failure = errno
        var written = capacity - room
        var isComplete = false
        if status != -1 {
          isComplete = isFlushing
          isFlushing = true
        } else if failure != E2BIG {
          guard !isFlushing, left > 0, replaced < maximumReplaced else { return isFlushing ? replaced : nil }
          replaced += 1
          buffer[written] = 0xEF
          buffer[written + 1] = 0xBF
          buffer[written + 2] = 0xBD
          written += 3
          if failure == EINVAL {  // cut off within a character
            left = 0
            isFlushing = true
          } else {
            next = next.map { $0 + 1 }
            left -= 1
          }
        }
        if written > 0 {
          let wantsMore = take(
            UnsafeBufferPointer(
              start: buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
              count: written
            )
          )
          if !wantsMore { return replaced }
        }
        if isComplete { return replaced }
      }
    }
  }
}
