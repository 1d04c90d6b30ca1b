import Glibc

/// Texts of megabytes, which are not to be in memory twice.
enum LongText {
  /// From here on it is worth the trouble.
  static let size = 1 << 19

  /// The bytes as text; ill-formed UTF-8 is replaced. What a long text was copied from is given back on the way: the
  /// bytes must be the caller's own, and hold nothing afterwards.
  @inline(__always)
  static func take(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard bytes.count >= size, let base = bytes.baseAddress else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return move(bytes, from: base)
  }

  @inline(never)
  private static func move(_ bytes: UnsafeBufferPointer<UInt8>, from base: UnsafePointer<UInt8>) -> String {
    String(unsafeUninitializedCapacity: bytes.count) { target in
      guard let start = target.baseAddress else { return 0 }
      var offset = 0
      while offset < bytes.count {
        let length = min(pieceSize, bytes.count - offset)
        memcpy(start + offset, base + offset, length)
        release(base, from: offset, to: offset + length)
        offset += length
      }
      return bytes.count
    }
  }

  /// Gives the pages between two offsets back to the system, and those of a page that an earlier call left half; what
  /// was in them is gone.
  @inline(never)
  static func release(_ base: UnsafePointer<UInt8>, from start: Int, to end: Int) {
    let page = Int(getpagesize())
    let address = Int(bitPattern: base)
    // The block's first page may hold something else before it.
    let first = max((address + start) / page * page, (address + page - 1) / page * page)
    let last = (address + end) / page * page
    guard first < last, let pages = UnsafeMutableRawPointer(bitPattern: first) else { return }
    madvise(pages, last - first, MADV_DONTNEED)
  }

  private static let pieceSize = 1 << 17
}
