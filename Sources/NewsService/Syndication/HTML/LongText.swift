import Glibc
import NewsToolbox

/// Helpers that keep texts of megabytes from being in memory twice.
enum LongText {
  /// Minimum size, in bytes, of a long text.
  static let size = 1 << 19

  /// Converts the bytes to text, and replaces ill-formed UTF-8. The pages of a long text are freed during the copy:
  /// the caller must own the bytes exclusively, and must not read them afterwards.
  @inline(__always)
  static func take(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard bytes.count >= size, let base = bytes.baseAddress else {
      return String(streamSafe: bytes)
    }
    return move(bytes, from: base).streamSafe
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

  /// Frees the pages between two offsets. Their content is lost, unless they are mapped from a file. Also
  /// frees a page that an earlier call covered only in part.
  @inline(never)
  static func release(_ base: UnsafePointer<UInt8>, from start: Int, to end: Int) {
    let page = Int(getpagesize())
    let address = Int(bitPattern: base)
    // Keep the first page if it begins before the block, because other data may be on it.
    let first = max((address + start) / page * page, (address + page - 1) / page * page)
    let last = (address + end) / page * page
    guard first < last, let pages = UnsafeMutableRawPointer(bitPattern: first) else { return }
    madvise(pages, last - first, MADV_DONTNEED)
  }

  static let pieceSize = 1 << 17
}

/// The pages of a mapped file: they may be freed at any time and are reloaded on access.
struct DocumentPages {
  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  func release() {
    guard bytes.count >= LongText.size, let base = bytes.baseAddress else { return }
    LongText.release(base, from: 0, to: bytes.count)
  }
}
