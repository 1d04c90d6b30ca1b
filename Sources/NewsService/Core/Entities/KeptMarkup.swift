import Glibc
import NewsToolbox

/// The markup of items that earlier versions of newsd removed: links instead of frames, and MathML.
///
/// Stored items learn it without an edit: the hash that detects edits is that of the HTML without it. So the HTML that
/// the sanitizer writes today has the hash of what it wrote before, and a frame or formula that the feed changes later
/// is stored, but does not count as an edit.
package enum KeptMarkup {
  /// The class of the links that replace frames. The page shows those of some hosts as videos to click. An item may
  /// write such links itself: it gets no more than with a frame.
  package static let frameClass = "newsd-frame"

  private static let frame: StaticString = "<a class=\"newsd-frame\""

  /// True if the HTML, which the sanitizer wrote, has such markup.
  package static func isIn(_ html: String) -> Bool {
    html.withBytes { bytes in
      var index = 0
      while let angle = next(UInt8(ascii: "<"), in: bytes, from: index) {
        if begins(bytes, at: angle, "<math") || begins(bytes, at: angle, frame) { return true }
        index = angle + 1
      }
      return false
    }
  }

  /// Returns the HTML, which the sanitizer wrote, without links that replace frames and without the tags of MathML.
  package static func removed(from html: String) -> String {
    guard isIn(html) else { return html }
    return split(html).rest
  }

  /// Returns the links that replace frames.
  package static func frames(of html: String) -> String {
    isIn(html) ? split(html).frames : ""
  }

  private static func split(_ html: String) -> (rest: String, frames: String) {
    var rest = ByteBuffer(capacity: html.utf8.count)
    var frames = ByteBuffer(capacity: 256)
    html.withBytes { bytes in
      var index = 0
      var isInMath = false
      while index < bytes.count {
        let angle = next(UInt8(ascii: "<"), in: bytes, from: index) ?? bytes.count
        rest.append(UnsafeBufferPointer(rebasing: bytes[index..<angle]))
        guard angle < bytes.count else { return }
        if begins(bytes, at: angle, frame) {
          index = endOfLink(bytes, from: angle)
          frames.append(UnsafeBufferPointer(rebasing: bytes[angle..<index]))
          continue
        }
        let end = next(UInt8(ascii: ">"), in: bytes, from: angle).map { $0 + 1 } ?? bytes.count
        if begins(bytes, at: angle, "<math") { isInMath = true }
        if !isInMath { rest.append(UnsafeBufferPointer(rebasing: bytes[angle..<end])) }
        if begins(bytes, at: angle, "</math>") { isInMath = false }
        index = end
      }
    }
    return (rest.string(), frames.string())
  }

  /// Returns the end of a link, with the space after it.
  private static func endOfLink(_ html: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start + 1
    while let angle = next(UInt8(ascii: "<"), in: html, from: index) {
      index = angle + 1
      guard begins(html, at: angle, "</a>") else { continue }
      let end = angle + 4
      return end < html.count && html[end] == UInt8(ascii: " ") ? end + 1 : end
    }
    return html.count
  }

  private static func next(_ byte: UInt8, in html: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let base = html.baseAddress, start < html.count else { return nil }
    return memchr(base + start, Int32(byte), html.count - start).map {
      UnsafeRawPointer($0) - UnsafeRawPointer(base)
    }
  }

  private static func begins(_ html: UnsafeBufferPointer<UInt8>, at start: Int, _ text: StaticString) -> Bool
  {
    let length = text.utf8CodeUnitCount
    return html.count - start >= length
      && UnsafeBufferPointer(rebasing: html[start..<start + length])
        .elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: length))
  }
}
