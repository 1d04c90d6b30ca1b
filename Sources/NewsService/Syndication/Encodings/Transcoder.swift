import Glibc

/// Turns bytes of any encoding that iconv knows into UTF-8.
struct Transcoder: ~Copyable {
  struct Result {
    var bytes: [UInt8]
    /// Input bytes that were replaced by U+FFFD.
    var replacedCount: Int
  }

  private let descriptor: iconv_t

  /// Nil when iconv does not know the encoding.
  init?(from encoding: String) {
    guard let descriptor = iconv_open("UTF-8", encoding), descriptor != iconv_t(bitPattern: -1) else {
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { iconv_close(descriptor) }

  /// Nil when more than `maximumReplaced` bytes make no sense in the encoding.
  func decode(_ input: UnsafeBufferPointer<UInt8>, maximumReplaced: Int) -> Result? {
    guard let base = input.baseAddress else { return Result(bytes: [], replacedCount: 0) }
    _ = iconv(descriptor, nil, nil, nil, nil)
    var output: [UInt8] = []
    output.reserveCapacity(input.count + input.count / 4)
    var replaced = 0
    // iconv's signature wants mutable input; it never writes to it.
    var next: UnsafeMutablePointer<CChar>? = UnsafeMutableRawPointer(mutating: base)
      .assumingMemoryBound(to: CChar.self)
    var left = input.count
    let capacity = 32 * 1024
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer -> Result? in
      guard let start = buffer.baseAddress else { return nil }
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
        let written = UnsafeRawBufferPointer(start: start, count: capacity - room)
        output.append(contentsOf: written)
        if status != -1 {
          if isFlushing { return Result(bytes: output, replacedCount: replaced) }
          isFlushing = true
        } else if failure != E2BIG {
          guard !isFlushing, left > 0, replaced < maximumReplaced else {
            return isFlushing ? Result(bytes: output, replacedCount: replaced) : nil
          }
          replaced += 1
          output.append(contentsOf: [0xEF, 0xBF, 0xBD])
          if failure == EINVAL {  // cut off within a character
            left = 0
            isFlushing = true
          } else {
            next = next.map { $0 + 1 }
            left -= 1
          }
        }
      }
    }
  }
}
