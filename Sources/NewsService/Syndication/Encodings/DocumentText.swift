import NewsCore

/// A document's bytes as UTF-8, and how they were read.
struct DocumentText {
  /// What makes UTF-8 of the bytes.
  enum Converter: Hashable {
    case windows1252
    case hz
    /// UTF-8 with strays among it, and whether those are Windows-1252.
    case mixed(straysAreWindows1252: Bool)
    /// By the name that iconv knows it by.
    case iconv(String)
  }

  /// Nil: the document's own bytes from `start` on are UTF-8 already.
  private(set) var converter: Converter?
  /// What the bytes from `start` on are when they are taken as UTF-8.
  private(set) var check: UTF8Check
  /// Where the text begins in the bytes, after a byte order mark.
  var start = 0
  /// Lower case.
  var encoding: String
  /// Bytes that belong to no character; converted they are U+FFFD.
  var strayCount = 0
  /// The encoding a label gave that was not used: it was unknown, or the bytes made no sense in it.
  var overriddenLabel: String?
  /// Nothing said which encoding it is, and UTF-8 it is not.
  var isGuessed = false

  /// Decides by byte order mark, then Content-Type (RFC 7303 section 3), then the XML declaration, then UTF-8; a label
  /// that does not decode the bytes gives way to the next.
  init(_ bytes: UnsafeBufferPointer<UInt8>, contentType: String?, override: String?) {
    let (mark, markLength) = Self.byteOrderMark(bytes)
    let body = UnsafeBufferPointer(rebasing: bytes[markLength...])
    start = markLength
    check = UTF8Check(body)
    let signature = mark == nil ? Self.signature(body) : nil
    var labels: [String] = []
    func add(_ label: String?) {
      if let label, !labels.contains(label) { labels.append(label) }
    }
    add(override.flatMap { EncodingNames.normalized($0.utf8) })
    add(mark)
    add(contentType.flatMap(Self.charset))
    if signature == nil { add(Self.declaredEncoding(body)) }
    if signature == Self.ebcdic { add(Self.declaredEncoding(ofEBCDIC: body)) }
    add(signature)

    // A label that cannot be meant for how the document begins is passed over.
    let isPossible = { (label: String) -> Bool in
      if let signature { return label == signature || EncodingProbe.agree(label, signature, on: body) }
      return mark != nil || EncodingProbe.readsASCII(label) || EncodingProbe.findsMarkup(label, in: body)
    }
    let declaresUTF8 = labels.contains(where: EncodingNames.isUTF8)
    encoding = "utf-8"
    for (index, label) in labels.enumerated() where isPossible(label) {
      if EncodingNames.isUTF8(label) {
        if check.isValid {
          noteOverride(labels, upTo: index)
          return
        }
        continue
      }
      // Nearly any bytes decode in an encoding of single bytes. Where they are UTF-8, they are hardly anything else.
      if mark == nil, signature == nil, check.isValid, check.multibyteCount > 0,
        check.multibyteCount >= EncodingNames.sequencesAgainst(label, declaresUTF8: declaresUTF8)
      {
        continue
      }
      if EncodingNames.isLatin1(label) {
        useLatin1(body, label: label)
        noteOverride(labels, upTo: index)
        return
      }
      if convert(body, label: label, maximumReplaced: 0) {
        noteOverride(labels, upTo: index)
        return
      }
    }
    chooseLeniently(body, labels: labels, isPossible: isPossible)
  }

  /// No label decodes all bytes: UTF-8 if they are that, else the first label that loses only a few, else UTF-8 with
  /// stray bytes or Windows-1252, whichever fits better.
  private mutating func chooseLeniently(
    _ body: UnsafeBufferPointer<UInt8>,
    labels: [String],
    isPossible: (String) -> Bool
  ) {
    if check.isValid {
      overriddenLabel = labels.first { !EncodingNames.isUTF8($0) }
      return
    }
    for (index, label) in labels.enumerated() where !EncodingNames.isUTF8(label) {
      if EncodingNames.isLatin1(label) || !isPossible(label) { continue }
      if convert(body, label: label, maximumReplaced: 8 + body.count / 200) {
        noteOverride(labels, upTo: index)
        return
      }
    }
    strayCount = check.strayCount
    let pairs = check.strayCount >= 6 ? StrayBytes.surrogatePairs(body) : 0
    let valid = check.multibyteCount + pairs
    if valid > 0 {
      overriddenLabel = labels.first { !EncodingNames.isUTF8($0) }
      // Where most are strays, the text is in Windows-1252, with some UTF-8 pasted in.
      let isMostlyStray = valid < check.strayCount - 6 * pairs
      if pairs > 0 || isMostlyStray { converter = .mixed(straysAreWindows1252: isMostlyStray) }
      return
    }
    // Cut off within a character: that shows no other encoding.
    if check.strayCount == UTF8Check.cutOffLength(body) {
      overriddenLabel = labels.first { !EncodingNames.isUTF8($0) }
      return
    }
    strayCount = 0
    useLatin1(body, label: "windows-1252")
    overriddenLabel = labels.first
    isGuessed = labels.isEmpty
  }

  private mutating func noteOverride(_ labels: [String], upTo index: Int) {
    // `utf-16` leaves the order of bytes open.
    overriddenLabel = index > 0 && !labels[index].hasPrefix(labels[0]) ? labels[0] : nil
  }

  private mutating func useLatin1(_ body: UnsafeBufferPointer<UInt8>, label: String) {
    let hasUpperControls = body.contains { $0 & 0xE0 == 0x80 }
    let hasHigh = hasUpperControls || body.contains { $0 >= 0x80 }
    encoding = hasUpperControls || label.hasSuffix("1252") ? "windows-1252" : label
    if hasHigh {
      if encoding.hasSuffix("ascii") { encoding = "windows-1252" }
      converter = .windows1252
    }
  }

  private mutating func convert(
    _ body: UnsafeBufferPointer<UInt8>,
    label: String,
    maximumReplaced: Int
  ) -> Bool {
    if EncodingNames.isHZ(label) {
      converter = .hz
      encoding = label
      return true
    }
    for name in EncodingNames.converters(for: label) {
      guard let transcoder = Transcoder(from: name),
        let replaced = transcoder.decode(body, maximumReplaced: maximumReplaced, { _ in true })
      else { continue }
      converter = .iconv(name)
      strayCount = replaced
      encoding = name == "GB18030" ? "gb18030" : label
      return true
    }
    return false
  }

  /// Hands over the UTF-8 of `bytes`, the document, in pieces that end between characters. `take` returns false when it
  /// wants no more. Pages are given back as the text goes on.
  func forEachPiece(
    of bytes: UnsafeBufferPointer<UInt8>,
    _ pages: DocumentPages?,
    _ take: (UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    var length = 0
    forEachPiece(of: bytes) { piece in
      length += piece.count
      if length > LongText.size {
        length = 0
        pages?.giveBack()
      }
      return take(piece)
    }
  }

  /// The same without giving anything back.
  func forEachPiece(
    of bytes: UnsafeBufferPointer<UInt8>,
    _ take: (UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    let body = UnsafeBufferPointer(rebasing: bytes[start...])
    switch converter {
    case nil: _ = take(body)
    case .windows1252: Windows1252.decode(body, take)
    case .mixed(let strays): StrayBytes.decode(body, asWindows1252: strays, take)
    case .hz:
      let text = HZText.unpacked(body)
      _ = text.withUnsafeBufferPointer { text in
        Transcoder(from: "GB18030")?.decode(text, maximumReplaced: .max, take)
      }
    case .iconv(let name):
      guard let transcoder = Transcoder(from: name) else { return }
      var isFirst = true
      _ = transcoder.decode(body, maximumReplaced: .max) { piece in
        // A wide encoding may carry its byte order mark behind the one that was cut off, or at its start.
        let hasMark = isFirst && piece.starts(with: [0xEF, 0xBB, 0xBF])
        isFirst = false
        return take(hasMark ? UnsafeBufferPointer(rebasing: piece[3...]) : piece)
      }
    }
  }

  /// The whole document converted; nil when it is UTF-8 already.
  func converted(_ bytes: UnsafeBufferPointer<UInt8>, _ pages: DocumentPages? = nil) -> [UInt8]? {
    guard converter != nil else { return nil }
    var size = bytes.count
    if size >= LongText.size {
      // Growing would need a long document's memory three times.
      size = 0
      forEachPiece(of: bytes, pages) { piece in
        size += piece.count
        return true
      }
    }
    var result: [UInt8] = []
    result.reserveCapacity(size)
    forEachPiece(of: bytes, pages) { piece in
      result.append(contentsOf: piece)
      return true
    }
    return result
  }

  private static func byteOrderMark(_ b: UnsafeBufferPointer<UInt8>) -> (String?, Int) {
    if b.count >= 3, b[0] == 0xEF, b[1] == 0xBB, b[2] == 0xBF { return ("utf-8", 3) }
    if b.count >= 4, b[0] == 0, b[1] == 0, b[2] == 0xFE, b[3] == 0xFF { return ("utf-32be", 4) }
    if b.count >= 4, b[0] == 0xFF, b[1] == 0xFE, b[2] == 0, b[3] == 0 { return ("utf-32le", 4) }
    if b.count >= 2, b[0] == 0xFE, b[1] == 0xFF { return ("utf-16be", 2) }
    if b.count >= 2, b[0] == 0xFF, b[1] == 0xFE { return ("utf-16le", 2) }
    return (nil, 0)
  }

  /// What an EBCDIC document is when it does not say which kind.
  private static let ebcdic = "cp037"

  /// The encodings of the EBCDIC family agree on what a declaration is made of, quotation marks aside (XML 1.0 appendix F).
  private static func declaredEncoding(ofEBCDIC b: UnsafeBufferPointer<UInt8>) -> String? {
    guard let text = EncodingProbe.text(of: b.prefix(512), in: "IBM037") else { return nil }
    return text.map { $0 >= 0xC0 ? 0x22 : $0 >= 0x80 ? 0x20 : $0 }
      .withUnsafeBufferPointer { declaredEncoding($0) }
  }

  /// The encoding that the first characters (`<?`, `<r`, `{`) show when they are not ASCII (XML 1.0 appendix F).
  private static func signature(_ b: UnsafeBufferPointer<UInt8>) -> String? {
    guard b.count >= 4 else { return nil }
    if b[0] == 0x4C, b[1] == 0x6F, b[2] == 0xA7, b[3] == 0x94 { return ebcdic }
    let first = b[0] != 0 ? b[0] : b[1] != 0 ? b[1] : b[3]
    guard first == 0x3C || first == 0x7B || first <= 0x20 else { return nil }
    switch (b[0] == 0, b[1] == 0, b[2] == 0, b[3] == 0) {
    case (false, true, false, true): return "utf-16le"
    case (true, false, true, false): return "utf-16be"
    case (false, true, true, true): return "utf-32le"
    case (true, true, true, false): return "utf-32be"
    default: return nil
    }
  }

  /// `charset` of a Content-Type value (RFC 9110 section 8.3.2).
  static func charset(_ contentType: String) -> String? {
    let bytes = Array(contentType.utf8)
    let name = Array("charset".utf8)
    var index = 0
    while let semicolon = bytes[index...].firstIndex(of: 0x3B) {
      index = semicolon + 1
      while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
      guard index + name.count < bytes.count,
        zip(bytes[index...], name).allSatisfy({ $0 | 0x20 == $1 })
      else { continue }
      var value = index + name.count
      while value < bytes.count, bytes[value] <= 0x20 { value += 1 }
      guard value < bytes.count, bytes[value] == 0x3D else { continue }
      let end = bytes[value...].firstIndex(of: 0x3B) ?? bytes.count
      return EncodingNames.normalized(bytes[(value + 1)..<end])
    }
    return nil
  }

  /// The encoding of an XML declaration in ASCII-compatible bytes, also of one that has junk before it.
  private static func declaredEncoding(_ b: UnsafeBufferPointer<UInt8>) -> String? {
    let limit = min(b.count, 2048)
    let marker = Array("<?xml".utf8)
    var index = 0
    while index + marker.count < limit {
      if b[index] == 0x3C, b[(index + 1)...].starts(with: marker[1...]), b[index + 5] <= 0x20 { break }
      index += 1
    }
    guard index + marker.count < limit else { return nil }
    let head = b[index..<min(b.count, index + 512)]
    guard let end = head.firstIndex(of: 0x3E) else { return nil }
    let name = Array("encoding".utf8)
    var at = index
    while at + name.count < end {
      if b[at] == name[0], b[at...].starts(with: name) {
        var value = at + name.count
        while value < end, b[value] <= 0x20 { value += 1 }
        guard value < end, b[value] == 0x3D else { return nil }
        value += 1
        while value < end, b[value] <= 0x20 { value += 1 }
        guard value < end, b[value] == 0x22 || b[value] == 0x27 else { return nil }
        let quote = b[value]
        guard let close = b[(value + 1)..<end].firstIndex(of: quote) else { return nil }
        return EncodingNames.normalized(b[(value + 1)..<close])
      }
      at += 1
    }
    return nil
  }
}
