/// How to convert a document's bytes to UTF-8.
struct DocumentText {
  /// A way to convert the bytes.
  enum Converter: Hashable {
    case windows1252
    case hz
    /// UTF-8 with bytes that are invalid in UTF-8.
    case mixed(StrayBytes.Reading)
    /// An encoding, by the name that iconv uses.
    case iconv(String)
  }

  /// How to convert the bytes from `start`; nil if they are UTF-8 already.
  private(set) var converter: Converter?
  /// Result of validating the bytes from `start` as UTF-8.
  private(set) var check: UTF8Check
  /// Offset of the text, which follows a byte order mark.
  var start = 0
  /// Name of the encoding, in lower case.
  var encoding: String
  /// Number of bytes that belong to no character of the encoding. A `mixed` conversion may read them as
  /// Windows-1252; other conversions replace them by U+FFFD.
  var strayCount = 0
  /// A declared encoding that was not used, because it is unknown or does not decode the bytes.
  var overriddenLabel: String?
  /// True if no encoding is declared and the bytes are not UTF-8.
  var isGuessed = false

  /// Determines the encoding from `override`, then the byte order mark, then Content-Type (RFC 7303 section
  /// 3), then the XML declaration, then the first bytes. Skips a label that does not decode the bytes. If
  /// none is left, chooses by the bytes, mostly UTF-8 or Windows-1252 (`chooseLeniently`).
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

    // Skip labels that contradict the first bytes of the document.
    let isPossible = { (label: String) -> Bool in
      if let signature { return label == signature || EncodingProbe.agree(label, signature, on: body) }
      return mark != nil || EncodingProbe.readsASCII(label) || EncodingProbe.findsMarkup(label, in: body)
    }
    let declaresUTF8 = labels.contains(where: EncodingNames.isUTF8)
    // Nearly any bytes are valid in a single-byte encoding. Therefore, enough UTF-8 sequences prove such a label
    // wrong.
    let check = check
    let isRefuted = { (label: String) -> Bool in
      guard mark == nil, signature == nil, check.multibyteCount > 0 else { return false }
      let needed = EncodingNames.sequencesAgainst(label, declaresUTF8: declaresUTF8)
      return check.multibyteCount >= needed * (1 + Self.sequencesPerStray * check.strayCount)
    }
    encoding = "utf-8"
    for (index, label) in labels.enumerated() where isPossible(label) {
      if EncodingNames.isUTF8(label) {
        if check.isValid {
          noteOverride(labels, upTo: index)
          return
        }
        continue
      }
      if isRefuted(label) { continue }
      if EncodingNames.isLatin1(label) {
        if EncodingNames.isASCII(label), !check.isASCII { continue }
        useLatin1(body, label: label)
        noteOverride(labels, upTo: index)
        return
      }
      if convert(body, label: label, maximumReplaced: 0) {
        noteOverride(labels, upTo: index)
        return
      }
    }
    chooseLeniently(body, labels: labels) { isPossible($0) && !isRefuted($0) }
  }

  /// Minimum number of UTF-8 sequences per invalid byte that refutes a label.
  private static let sequencesPerStray = 15

  /// Chooses an encoding if no label decodes all bytes. Chooses UTF-8 if the bytes are valid, else the first label
  /// with which only a few bytes are lost. Else chooses UTF-8 with stray bytes or Windows-1252, depending on which
  /// decodes more of the non-ASCII bytes.
  private mutating func chooseLeniently(
    _ body: UnsafeBufferPointer<UInt8>,
    labels: [String],
    isPossible: (String) -> Bool
  ) {
    if check.isValid {
      overriddenLabel = labels.first { !EncodingNames.isUTF8($0) }
      return
    }
    // A few stray bytes among many UTF-8 sequences are weaker evidence against UTF-8 than the lost bytes are
    // against every label.
    let isNearlyUTF8 =
      check.multibyteCount > 0 && check.multibyteCount >= Self.sequencesPerStray * check.strayCount
    for (index, label) in labels.enumerated() where !isNearlyUTF8 && !EncodingNames.isUTF8(label) {
      if EncodingNames.isLatin1(label) || !isPossible(label) { continue }
      if convert(body, label: label, maximumReplaced: 8 + body.count / 200) {
        noteOverride(labels, upTo: index)
        return
      }
    }
    strayCount = check.strayCount
    let pairs = StrayBytes.surrogatePairs(body)
    let valid = check.multibyteCount
    // The check counts a surrogate pair both as a sequence and as a stray byte.
    let strays = check.strayCount - pairs
    // With few sequences among many strays, a sequence may be there by chance: in French Windows-1252, "é" before a
    // no-break space and "»" is also one.
    let isMostlyStray = strays > 2 * valid
    let isChance =
      !isNearlyUTF8 && pairs == 0 && strays > UTF8Check.cutOffLength(body)
      && StrayBytes.hasOnlyChanceSequences(body)
    if valid > 0, !isChance, pairs > 0 || !isMostlyStray || StrayBytes.hasWesternSequence(body) {
      overriddenLabel = labels.first { !EncodingNames.isUTF8($0) }
      if isMostlyStray, pairs == 0 {
        converter = .mixed(.mostlyWindows1252)
      } else if valid < strays || labels.contains(where: EncodingNames.isLatin1) {
        converter = .mixed(.windows1252)
      } else if pairs > 0 {
        converter = .mixed(.replaced)
      }
      return
    }
    // The only stray bytes are a character truncated at the end: the document is UTF-8.
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
    // `utf-16` does not state the byte order.
    overriddenLabel = index > 0 && !labels[index].hasPrefix(labels[0]) ? labels[0] : nil
  }

  /// Chooses Windows-1252, a superset of ASCII and of the printable characters of ISO-8859-1.
  private mutating func useLatin1(_ body: UnsafeBufferPointer<UInt8>, label: String) {
    let hasUpperControls = body.contains { $0 & 0xE0 == 0x80 }
    let hasHigh = hasUpperControls || body.contains { $0 >= 0x80 }
    encoding = hasUpperControls || label.hasSuffix("1252") ? "windows-1252" : label
    if hasHigh {
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

  /// Converts `bytes` and passes the UTF-8 in pieces that end between characters, until `take` returns false.
  /// Releases the pages of a long document.
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
        pages?.release()
      }
      return take(piece)
    }
  }

  /// Converts `bytes` without releasing pages.
  func forEachPiece(
    of bytes: UnsafeBufferPointer<UInt8>,
    _ take: (UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    let body = UnsafeBufferPointer(rebasing: bytes[start...])
    switch converter {
    case nil: _ = take(body)
    case .windows1252: Windows1252.decode(body, take)
    case .mixed(let reading): StrayBytes.decode(body, as: reading, take)
    case .hz:
      let text = HZText.unpacked(body)
      _ = text.withUnsafeBufferPointer { text in
        Transcoder(from: "GB18030")?.decode(text, maximumReplaced: .max, take)
      }
    case .iconv(let name):
      guard let transcoder = Transcoder(from: name) else { return }
      var isFirst = true
      _ = transcoder.decode(body, maximumReplaced: .max) { piece in
        // Drop a byte order mark that was not recognized at the start and that iconv converted.
        let hasMark = isFirst && start == 0 && piece.starts(with: [0xEF, 0xBB, 0xBF])
        isFirst = false
        return take(hasMark ? UnsafeBufferPointer(rebasing: piece[3...]) : piece)
      }
    }
  }

  /// Converts the whole document. Returns nil if it is UTF-8 already.
  func converted(_ bytes: UnsafeBufferPointer<UInt8>, _ pages: DocumentPages? = nil) -> [UInt8]? {
    guard converter != nil else { return nil }
    var size = bytes.count
    if size >= LongText.size {
      // Count the bytes first: growing an array would take three times the memory of a long document.
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

  /// Returns the encoding that a byte order mark names, and the mark's length; nil and 0 without one.
  static func byteOrderMark(_ b: UnsafeBufferPointer<UInt8>) -> (label: String?, length: Int) {
    if b.count >= 3, b[0] == 0xEF, b[1] == 0xBB, b[2] == 0xBF { return ("utf-8", 3) }
    if b.count >= 4, b[0] == 0, b[1] == 0, b[2] == 0xFE, b[3] == 0xFF { return ("utf-32be", 4) }
    if b.count >= 4, b[0] == 0xFF, b[1] == 0xFE, b[2] == 0, b[3] == 0 { return ("utf-32le", 4) }
    if b.count >= 2, b[0] == 0xFE, b[1] == 0xFF { return ("utf-16be", 2) }
    if b.count >= 2, b[0] == 0xFF, b[1] == 0xFE { return ("utf-16le", 2) }
    return (nil, 0)
  }

  /// The encoding of EBCDIC documents that declare no code page.
  private static let ebcdic = "cp037"
  /// The bytes of `<?xm` in EBCDIC.
  private static let ebcdicStart: [UInt8] = [0x4C, 0x6F, 0xA7, 0x94]

  /// Reads the encoding that an EBCDIC document declares. All code pages of EBCDIC encode the declaration alike,
  /// except for quotation marks (XML 1.0 appendix F).
  private static func declaredEncoding(ofEBCDIC b: UnsafeBufferPointer<UInt8>) -> String? {
    guard let text = EncodingProbe.text(of: b.prefix(512), in: "IBM037") else { return nil }
    return text.map { $0 >= 0xC0 ? UInt8(ascii: "\"") : $0 >= 0x80 ? UInt8(ascii: " ") : $0 }
      .withUnsafeBufferPointer { declaredEncoding($0) }
  }

  /// Detects an encoding from the first characters (`<?`, `<r`, `{`) when they are not ASCII (XML 1.0 appendix F).
  private static func signature(_ b: UnsafeBufferPointer<UInt8>) -> String? {
    guard b.count >= 4 else { return nil }
    if b.starts(with: ebcdicStart) { return ebcdic }
    let first = b[0] != 0 ? b[0] : b[1] != 0 ? b[1] : b[3]
    guard first == UInt8(ascii: "<") || first == UInt8(ascii: "{") || first <= UInt8(ascii: " ") else {
      return nil
    }
    switch (b[0] == 0, b[1] == 0, b[2] == 0, b[3] == 0) {
    case (false, true, false, true): return "utf-16le"
    case (true, false, true, false): return "utf-16be"
    case (false, true, true, true): return "utf-32le"
    case (true, true, true, false): return "utf-32be"
    default: return nil
    }
  }

  /// Returns the `charset` parameter of a Content-Type (RFC 9110 section 8.3.2).
  static func charset(_ contentType: String) -> String? {
    let bytes = Array(contentType.utf8)
    let name = Array("charset".utf8)
    var index = 0
    while let semicolon = bytes[index...].firstIndex(of: UInt8(ascii: ";")) {
      index = semicolon + 1
      while index < bytes.count, bytes[index] <= UInt8(ascii: " ") { index += 1 }
      guard index + name.count < bytes.count,
        zip(bytes[index...], name).allSatisfy({ $0 | 0x20 == $1 })
      else { continue }
      var value = index + name.count
      while value < bytes.count, bytes[value] <= UInt8(ascii: " ") { value += 1 }
      guard value < bytes.count, bytes[value] == UInt8(ascii: "=") else { continue }
      let end = bytes[value...].firstIndex(of: UInt8(ascii: ";")) ?? bytes.count
      return EncodingNames.normalized(bytes[(value + 1)..<end])
    }
    return nil
  }

  /// Returns the encoding of the XML declaration in ASCII-compatible bytes, even if other text precedes it.
  private static func declaredEncoding(_ b: UnsafeBufferPointer<UInt8>) -> String? {
    let limit = min(b.count, 2048)
    let marker = Array("<?xml".utf8)
    var index = 0
    while index + marker.count < limit {
      if b[index] == UInt8(ascii: "<"), b[(index + 1)...].starts(with: marker[1...]),
        b[index + 5] <= UInt8(ascii: " ")
      {
        break
      }
      index += 1
    }
    guard index + marker.count < limit else { return nil }
    let head = b[index..<min(b.count, index + 512)]
    guard let end = head.firstIndex(of: UInt8(ascii: ">")) else { return nil }
    let name = Array("encoding".utf8)
    var at = index
    while at + name.count < end {
      if b[at] == name[0], b[at...].starts(with: name) {
        var value = at + name.count
        while value < end, b[value] <= UInt8(ascii: " ") { value += 1 }
        guard value < end, b[value] == UInt8(ascii: "=") else { return nil }
        value += 1
        while value < end, b[value] <= UInt8(ascii: " ") { value += 1 }
        guard value < end, b[value] == UInt8(ascii: "\"") || b[value] == UInt8(ascii: "'") else { return nil }
        let quote = b[value]
        guard let close = b[(value + 1)..<end].firstIndex(of: quote) else { return nil }
        return EncodingNames.normalized(b[(value + 1)..<close])
      }
      at += 1
    }
    return nil
  }
}
