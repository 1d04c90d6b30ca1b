import Glibc

/// Texts of megabytes, which are not to be in memory twice.
enum LongText {
  /// From here on it is worth the trouble.
  static let size = 1 << 19

  /// The bytes as text; ill-formed UTF-8 is replaced. The source of a long text is freed on the way: the
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

  static let pieceSize = 1 << 17
}

/// A long text that is read once, from its beginning to its end: its pages are freed after the reader has passed them.
struct SpentPages {
  private let base: UnsafePointer<UInt8>?
  private var released = 0
  private var next: Int

  /// Short texts, and those that are not spent, stay.
  init(_ text: UnsafeBufferPointer<UInt8>, isSpent: Bool) {
    base = text.baseAddress
    next = isSpent && text.count >= LongText.size ? LongText.pieceSize : .max
  }

  /// Bytes before `index` are not read again.
  @inline(__always)
  mutating func giveBack(upTo index: Int) {
    if index >= next { release(index) }
  }

  @inline(never)
  private mutating func release(_ index: Int) {
    guard let base else { return }
    LongText.release(base, from: released, to: index)
    released = index
    next = index + LongText.pieceSize
  }
}

/// The pages of a mapped file: they may be freed at any time and are read again on access.
struct DocumentPages {
  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  func giveBack() {
    guard bytes.count >= LongText.size, let base = bytes.baseAddress else { return }
    LongText.release(base, from: 0, to: bytes.count)
  }
}
