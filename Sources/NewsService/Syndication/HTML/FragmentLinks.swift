import NewsCore
import NewsToolbox

/// Resolves same-document references (RFC 3986 section 4.4), which the sanitizer leaves relative.
enum FragmentLinks {
  /// Resolves links against `page` if their target is missing from the text. Each such link grows by the length of
  /// that address. `growth` is the number of bytes that may still be added; links beyond that limit stay unchanged.
  ///
  /// `html` must be the sanitizer's output: values are in double quotes, and every `<` begins a tag.
  static func resolved(_ html: String, page: BaseURL, growth: inout Int) -> String {
    guard let address = URLResolver.resolve("#", against: page) else { return html }
    var prefix = ByteBuffer(capacity: address.utf8.count + 16)
    for byte in address.utf8.dropLast() {
      if byte == UInt8(ascii: "&") { prefix.append("&amp;") } else { prefix.append(byte) }
    }
    var html = html
    return html.withUTF8 { bytes in
      var places: Set<String> = []
      var tags = Attributes(bytes: bytes)
      while let attribute = tags.next() {
        if ByteText.equals(attribute.name, "id") || ByteText.equals(attribute.name, "name") {
          places.insert(String(streamSafe: attribute.value))
        }
      }
      var output = ByteBuffer(capacity: bytes.count + 1024)
      var copied = 0
      tags = Attributes(bytes: bytes)
      while let attribute = tags.next() {
        guard ByteText.equals(attribute.name, "href"), attribute.value.first == UInt8(ascii: "#") else {
          continue
        }
        let fragment = UnsafeBufferPointer(rebasing: attribute.value.dropFirst())
        if !fragment.isEmpty {
          if places.contains(String(streamSafe: fragment)) { continue }
          if fragment.contains(UInt8(ascii: "%")), places.contains(PercentCoding.decodeLeniently(fragment)) {
            continue
          }
        }
        guard growth >= prefix.count else { break }
        growth -= prefix.count
        output.append(UnsafeBufferPointer(rebasing: bytes[copied..<attribute.start]))
        output.append(prefix.bytes)
        copied = attribute.start
      }
      output.append(UnsafeBufferPointer(rebasing: bytes[copied...]))
      return output.string()
    }
  }

  /// Iterates over the attributes of all tags.
  private struct Attributes {
    let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var isInTag = false

    init(bytes: UnsafeBufferPointer<UInt8>) {
      self.bytes = bytes
    }

    /// Returns the next attribute that has a value, and the index of the value.
    mutating func next() -> (name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, start: Int)?
    {
      while position < bytes.count {
        guard isInTag else {
          guard let tag = ByteText.firstIndex(of: UInt8(ascii: "<"), in: bytes, from: position) else { break }
          position = tag + 1
          isInTag = true
          continue
        }
        switch bytes[position] {
        case UInt8(ascii: ">"): isInTag = false
        case UInt8(ascii: " "):
          let start = position + 1
          var end = start
          while end < bytes.count, bytes[end] > UInt8(ascii: " "), bytes[end] != UInt8(ascii: "="),
            bytes[end] != UInt8(ascii: ">")
          { end += 1 }
          position = end
          guard end + 1 < bytes.count, bytes[end] == UInt8(ascii: "="), bytes[end + 1] == UInt8(ascii: "\""),
            let quote = ByteText.firstIndex(of: UInt8(ascii: "\""), in: bytes, from: end + 2)
          else { continue }
          position = quote + 1
          return (
            UnsafeBufferPointer(rebasing: bytes[start..<end]),
            UnsafeBufferPointer(rebasing: bytes[(end + 2)..<quote]), end + 2
          )
        default: break
        }
        position += 1
      }
      return nil
    }
  }
}
