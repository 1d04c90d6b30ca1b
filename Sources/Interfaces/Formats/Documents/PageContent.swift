package import NewsCore
import NewsText
package import NewsToolbox

/// Makes an item's sanitized HTML safe to share one page with other items.
///
/// Prefixes the values of `id`, `name` and the attributes that refer to them with the item's id, so that names are
/// unique on the page and links within an item stay there. Drops classes, which could match the page's own styles; on
/// the web page, the links that replace frames get one.
///
/// For the web page it also drops the feed's styles and colours: the page's security policy forbids them, and they
/// are unreadable on dark backgrounds. Images load late and send no referrer. Images, sound and video at newsd's own
/// address are dropped: the browser would ask for them with the session's cookie.
///
/// Works on bytes, as browsers do: a `"` followed by a combining mark still ends a value. Sanitized HTML
/// writes every attribute as ` name="value"` or ` name` and has no `<` in text; a tag of any other form is
/// dropped.
package struct PageContent {
  /// The page that shows the item.
  package enum Place: Sendable {
    /// A document with styles of its own, which keeps those of the feed. It contains the pictures that `DocumentPictures`
    /// has.
    case document(DocumentPictures = DocumentPictures())
    /// The web page at this site. With `MediaAddresses`, it loads pictures and recordings from newsd.
    case webPage(WebSite, MediaAddresses?)
  }

  private static let names: [StaticString] = ["id", "name", "headers", "usemap"]
  private static let media: [StaticString] = ["src", "srcset", "poster"]
  private static let looks: [StaticString] = [
    "style", "bgcolor", "color", "face", "size", "border", "preload", "loading", "decoding", "referrerpolicy",
    "rel",
  ]
  private let bytes: UnsafeBufferPointer<UInt8>
  private let prefix: String
  private let place: Place
  private var index = 0
  /// True in the tag of a link, and of a link that replaces a frame.
  private var isLink = false
  private var isFrame = false

  package static func append(
    _ html: String,
    of id: NewsItem.ID,
    on place: Place = .document(),
    to buffer: inout ByteBuffer
  ) {
    html.withBytes { bytes in
      var content = PageContent(bytes: bytes, prefix: "i\(id.rawValue)-", place: place)
      content.append(to: &buffer)
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, prefix: String, place: Place) {
    self.bytes = bytes
    self.prefix = prefix
    self.place = place
  }

  private mutating func append(to buffer: inout ByteBuffer) {
    while index < bytes.count {
      let start = index
      skip { $0 != UInt8(ascii: "<") }
      buffer.append(markup: piece(start..<index))
      guard index < bytes.count else { return }
      var tag = ByteBuffer(capacity: 256)
      if readTag(into: &tag) { tag.withBytes { buffer.append($0.assumingMemoryBound(to: UInt8.self)) } }
    }
  }

  /// Reads from `<` to the `>` outside quotes; false if the tag does not have the form that the sanitizer writes.
  private mutating func readTag(into tag: inout ByteBuffer) -> Bool {
    let start = index
    skip { !Self.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "\"") }
    let name = piece(start..<index)
    tag.append(markup: name)
    if case .webPage = place { appendOwnAttributes(of: name, to: &tag) }
    let isPicture = Self.equal(name, "<img")
    isLink = Self.equal(name, "<a")
    isFrame = false
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: ">"):
        tag.append(UInt8(ascii: ">"))
        index += 1
        return true
      case UInt8(ascii: "/"):
        tag.append(literal: " /")
        index += 1
      case let byte where Self.isSpace(byte): index += 1
      default:
        guard readAttribute(into: &tag, ofPicture: isPicture) else {
          skip { $0 != UInt8(ascii: ">") }
          index = min(index + 1, bytes.count)
          return false
        }
      }
    }
    return false
  }

  /// Appends the attributes that the web page gives to elements. The feed's own values of these are dropped.
  private func appendOwnAttributes(of name: UnsafeBufferPointer<UInt8>, to tag: inout ByteBuffer) {
    if Self.equal(name, "<img") {
      tag.append(literal: " loading=\"lazy\" decoding=\"async\" referrerpolicy=\"no-referrer\"")
    } else if Self.equal(name, "<a") || Self.equal(name, "<area") {
      tag.append(literal: " rel=\"noopener noreferrer\"")
    } else if Self.equal(name, "<video") || Self.equal(name, "<audio") {
      tag.append(literal: " preload=\"none\"")
    }
  }

  private mutating func readAttribute(into tag: inout ByteBuffer, ofPicture isPicture: Bool) -> Bool {
    let nameStart = index
    skip {
      !Self.isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "\"")
    }
    let name = piece(nameStart..<index)
    guard !name.isEmpty else { return false }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
      tag.append(UInt8(ascii: " "))
      tag.append(markup: name)
      return true
    }
    index += 1
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return false }
    index += 1
    let valueStart = index
    skip { $0 != UInt8(ascii: "\"") }
    guard index < bytes.count else { return false }
    let value = piece(valueStart..<index)
    index += 1
    if Self.equal(name, "class") {
      if case .webPage = place, isLink, value.elementsEqual(KeptMarkup.frameClass.utf8) {
        isFrame = true
        tag.append(literal: " class=\"frame\"")
      }
      return true
    }
    if isFrame, Self.equal(name, "href"), case .webPage(let site, let addresses?) = place {
      appendStill(of: String(decoding: value, as: UTF8.self), site, addresses, to: &tag)
    }
    if case .webPage(let site, let addresses) = place {
      if Self.looks.contains(where: { Self.equal(name, $0) }) { return true }
      let isMedia = Self.media.contains { Self.equal(name, $0) }
      if isMedia, !Self.isElsewhere(value, in: name, than: site) { return true }
      if isMedia, let addresses {
        append(media: value, of: name, isPicture: isPicture, site, addresses, to: &tag)
        return true
      }
    }
    if case .document(let pictures) = place, !pictures.isEmpty, isPicture,
      Self.equal(name, "src") || Self.equal(name, "srcset")
    {
      let url = Self.unescaped(String(decoding: value, as: UTF8.self))
      // Of several sizes, the one in `src` is kept.
      if Self.equal(name, "srcset") { return true }
      if let data = pictures[url] {
        tag.append(literal: " src=\"")
        tag.append(data)
        tag.append(UInt8(ascii: "\""))
        return true
      }
    }
    tag.append(UInt8(ascii: " "))
    tag.append(markup: name)
    tag.append(literal: "=\"")
    append(value, of: name, to: &tag)
    tag.append(UInt8(ascii: "\""))
    return true
  }

  /// Appends newsd's address of the picture of a video on YouTube. Without the media proxy, videos have no picture: the
  /// browser must not ask YouTube before a click.
  private func appendStill(
    of video: String,
    _ site: WebSite,
    _ addresses: MediaAddresses,
    to tag: inout ByteBuffer
  ) {
    let hosts = ["https://www.youtube.com/embed/", "https://www.youtube-nocookie.com/embed/"]
    guard let start = hosts.first(where: { video.hasPrefix(bytesOf: $0) }) else { return }
    let name = video.slice(start.utf8.count...).utf8.prefix {
      ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    guard (6...20).contains(name.count),
      let path = addresses.path(.picture, "https://i.ytimg.com/vi/\(String(Substring(name)))/hqdefault.jpg")
    else { return }
    tag.append(literal: " data-still=\"")
    tag.append(html: site.prefix + path)
    tag.append(UInt8(ascii: "\""))
  }

  /// Appends the attribute with the address on newsd. Of several sizes, the one in `src` is enough.
  private func append(
    media value: UnsafeBufferPointer<UInt8>,
    of name: UnsafeBufferPointer<UInt8>,
    isPicture: Bool,
    _ site: WebSite,
    _ addresses: MediaAddresses,
    to tag: inout ByteBuffer
  ) {
    guard !Self.equal(name, "srcset") else { return }
    let url = Self.unescaped(String(decoding: value, as: UTF8.self))
    let kind: MediaAddress.Kind = isPicture || Self.equal(name, "poster") ? .picture : .recording
    let path = addresses.path(kind, url).map { site.prefix + $0 }
    guard let target = path ?? (url.hasPrefix(bytesOf: "data:") ? url : nil) else { return }
    tag.append(UInt8(ascii: " "))
    tag.append(markup: name)
    tag.append(literal: "=\"")
    tag.append(html: target)
    tag.append(UInt8(ascii: "\""))
  }

  /// The value of an attribute without the references that the sanitizer writes.
  private static func unescaped(_ value: String) -> String {
    guard value.utf8.contains(UInt8(ascii: "&")) else { return value }
    var text = ""
    for (index, part) in value.split(ascii: "&", omittingEmptySubsequences: false).enumerated() {
      guard index > 0 else {
        text += part
        continue
      }
      let references = [("quot;", "\""), ("lt;", "<"), ("gt;", ">"), ("#39;", "'"), ("amp;", "&")]
      if let (name, sign) = references.first(where: { part.hasPrefix(bytesOf: $0.0) }) {
        text += sign + part.slice(name.utf8.count...)
      } else {
        text += "&" + part
      }
    }
    return text
  }

  /// False if the URL of a `src` or `poster`, or one in a `srcset`, leads to newsd or is relative.
  private static func isElsewhere(
    _ value: UnsafeBufferPointer<UInt8>,
    in name: UnsafeBufferPointer<UInt8>,
    than site: WebSite
  ) -> Bool {
    guard equal(name, "srcset") else {
      return isElsewhere(String(decoding: value, as: UTF8.self), than: site)
    }
    return value.split(whereSeparator: isSpace).allSatisfy { word in
      let word = word.last == UInt8(ascii: ",") ? word.dropLast() : word
      return isDescriptor(word) || isElsewhere(String(decoding: word, as: UTF8.self), than: site)
    }
  }

  private static func isElsewhere(_ url: String, than site: WebSite) -> Bool {
    if url.hasPrefix(bytesOf: "data:") { return true }
    guard let address = WebAddress(url), let own = WebAddress(site.origin) else { return false }
    // Behind a proxy without `web.url`, newsd does not know its scheme: two default ports are equal.
    return !isSameHost(address.host, own.host) || address.port != own.port && address.origin != own.origin
  }

  /// True if browsers may take both for the same host. They read a host whose last label is a number as an IPv4 address
  /// in one of many spellings, such as `127.1` and `0x7f000001` (URL standard, section 3.5), and map the digits of other
  /// scripts to ASCII. Only the usual spelling can be told apart.
  private static func isSameHost(_ host: String, _ own: String) -> Bool {
    let name = host.utf8.last == UInt8(ascii: ".") ? String(host.utf8.dropLast()) ?? host : host
    if name == own || isLoopback(name) && isLoopback(own) { return true }
    let isForeignDigit = { (scalar: Unicode.Scalar) in
      scalar.value >= 0x80 && scalar.properties.numericType != nil
    }
    if name.unicodeScalars.contains(where: isForeignDigit) { return true }
    let labels = name.split(ascii: ".", omittingEmptySubsequences: false)
    guard let first = labels.last?.utf8.first, ASCII.isDigit(first) else { return false }
    let isUsual = labels.count == 4 && labels.allSatisfy { UInt8($0).map(String.init) == String($0) }
    return !isUsual
  }

  /// True for the names of this machine, of which newsd accepts all.
  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(bytesOf: ".localhost") || host.hasPrefix(bytesOf: "127.")
      || host.hasPrefix(bytesOf: "[::")
  }

  /// True for `640w` and `1.5x`.
  private static func isDescriptor(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    word.count > 1 && word.dropLast().allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
  }

  private func append(
    _ value: UnsafeBufferPointer<UInt8>,
    of name: UnsafeBufferPointer<UInt8>,
    to tag: inout ByteBuffer
  ) {
    let isNames = Self.names.contains { Self.equal(name, $0) }
    if value.first == UInt8(ascii: "#"), isNames || Self.equal(name, "href") {
      tag.append(UInt8(ascii: "#"))
      // `#` alone links to the top of the page.
      guard value.count > 1 else { return }
      tag.append(prefix)
      tag.append(markup: UnsafeBufferPointer(rebasing: value.dropFirst()))
    } else if isNames {
      for (index, word) in value.split(whereSeparator: Self.isSpace).enumerated() {
        if index > 0 { tag.append(UInt8(ascii: " ")) }
        tag.append(prefix)
        tag.append(markup: UnsafeBufferPointer(rebasing: word))
      }
    } else {
      tag.append(markup: value)
    }
  }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while index < bytes.count, condition(bytes[index]) { index += 1 }
  }

  private func piece(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[range])
  }

  private static func equal(_ bytes: UnsafeBufferPointer<UInt8>, _ name: StaticString) -> Bool {
    bytes.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
  }
}
