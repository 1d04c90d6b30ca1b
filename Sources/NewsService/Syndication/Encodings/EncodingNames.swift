/// Names of encodings in documents.
enum EncodingNames {
  /// Returns the names to try with iconv, best first.
  ///
  /// A document that names a standard often uses a vendor's superset of it. So, as in the WHATWG encoding standard,
  /// gb2312 is read as GB 18030, Shift_JIS as code page 932, EUC-KR as code page 949.
  static func converters(for name: String) -> [String] {
    switch name {
    case "gb2312", "gbk", "x-gbk", "gb_2312-80", "csgb2312", "cp936", "ms936", "gb18030", "chinese",
      "hz-gb-2312", "hz":
      ["GB18030"]
    case "big5", "big-5", "x-x-big5", "csbig5", "cn-big5", "big5-hkscs": ["BIG5-HKSCS", "CP950", "BIG5"]
    case "shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "windows-31j", "ms932", "csshiftjis",
      "cp932":
      ["CP932", "SHIFT_JIS"]
    case "euc-kr", "euc_kr", "euckr", "ks_c_5601-1987", "ks_c_5601-1989", "ksc5601", "ksc_5601",
      "windows-949",
      "cseuckr", "korean", "uhc", "cp949":
      ["CP949", "EUC-KR"]
    case "euc-jp", "euc_jp", "eucjp", "x-euc-jp", "cseucpkdfmtjapanese": ["EUC-JP", "EUC-JP-MS"]
    case "iso-2022-jp", "csiso2022jp": ["ISO-2022-JP", "ISO-2022-JP-2", "CP50221"]
    case "iso-8859-8-i", "iso-8859-8-e", "logical", "visual": ["ISO-8859-8"]
    case "tis-620", "iso-8859-11": ["CP874", "TIS-620"]
    case "x-mac-roman", "mac", "macroman", "x-macroman": ["MACINTOSH"]
    case "x-mac-cyrillic", "x-mac-ukrainian": ["MAC-CYRILLIC", "MAC-UK"]
    case "cp037", "ibm037", "ebcdic-cp-us": ["IBM037"]
    case "ucs-2", "iso-10646-ucs-2", "csunicode", "unicode", "u16", "utf16", "utf_16": ["UTF-16"]
    case "ucs-4", "iso-10646-ucs-4", "csucs4", "u32", "utf32", "utf_32": ["UTF-32"]
    default: aliases[name].map { [$0] } ?? variants(of: name)
    }
  }

  static func isHZ(_ name: String) -> Bool { name == "hz-gb-2312" || name == "hz" }

  /// Returns the minimum number of multibyte UTF-8 sequences that overrule a label of another encoding.
  ///
  /// Text in a single-byte encoding is almost never valid UTF-8 by chance; Thai and ISO-8859-5 text is sometimes, East
  /// Asian text more often, so these need more sequences.
  static func sequencesAgainst(_ name: String, declaresUTF8: Bool) -> Int {
    switch converters(for: name).first {
    case "GB18030"?, "BIG5-HKSCS"?, "CP932"?, "CP949"?, "EUC-JP"?, "JOHAB"?: declaresUTF8 ? 4 : 16
    case "CP874"?, "iso-8859-5"?: declaresUTF8 ? 2 : 8
    default: declaresUTF8 ? 1 : 2
    }
  }

  /// Returns the name, followed by corrections of common misspellings.
  private static func variants(of name: String) -> [String] {
    var names = [name]
    func add(_ variant: String) {
      if !names.contains(variant) { names.append(variant) }
    }
    let hyphens = String(name.map { $0 == "_" || $0 == " " ? "-" : $0 })
    add(hyphens)
    if hyphens.hasPrefix("x-") { add(String(hyphens.dropFirst(2))) }
    for prefix in ["windows-", "windows", "win-", "win", "cp-", "x-cp", "microsoft-cp"]
    where hyphens.hasPrefix(prefix) {
      add("cp" + hyphens.dropFirst(prefix.count))
    }
    if hyphens.hasPrefix("cs") { variants(of: String(hyphens.dropFirst(2))).forEach(add) }
    // Normalize `IBM00858`, `CCSID01140`, `cp037`.
    for prefix in ["cp", "ibm", "ccsid"] where hyphens.hasPrefix(prefix) {
      let digits = hyphens.dropFirst(prefix.count).drop { $0 == "0" || $0 == "-" }
      guard (2...5).contains(digits.count), digits.allSatisfy(\.isNumber) else { continue }
      let number = digits.count == 2 ? "0" + digits : String(digits)
      add("ibm" + number)
      add("cp" + number)
    }
    for prefix in ["iso8859-", "iso-8859", "iso8859", "8859-"] where hyphens.hasPrefix(prefix) {
      let part = hyphens.dropFirst(prefix.count)
      add("iso-8859-" + (part.first == "-" ? part.dropFirst() : part))
    }
    return names
  }

  /// Converts a name to lower case without white space and quotes. Returns nil if the result is empty, or
  /// would contain a character other than letters, digits and `-_.:+()`.
  static func normalized(_ name: some Collection<UInt8>) -> String? {
    var scalars = String.UnicodeScalarView()
    for byte in name.prefix(64) {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\""),
        UInt8(ascii: "'"):
        continue
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): scalars.append(Unicode.Scalar(byte | 0x20))
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "("),
        UInt8(ascii: ")"):
        scalars.append(Unicode.Scalar(byte))
      default: return nil
      }
    }
    return scalars.isEmpty ? nil : String(scalars)
  }

  static func isUTF8(_ name: String) -> Bool {
    switch name {
    case "utf-8", "utf8", "utf_8", "unicode-1-1-utf-8", "x-unicode20utf8", "csutf8", "utf-8-sig": true
    default: false
    }
  }

  /// True for ISO-8859-1, ASCII and Windows-1252, which are all decoded as Windows-1252.
  static func isLatin1(_ name: String) -> Bool {
    switch name {
    case "iso-8859-1", "iso8859-1", "iso_8859-1", "iso88591", "iso8859_1", "iso-88591", "latin1", "latin-1",
      "l1", "cp819", "ibm819", "csisolatin1", "iso-ir-100", "windows-1252", "cp1252", "x-cp1252",
      "windows1252", "win-1252", "ansi":
      true
    default: isASCII(name)
    }
  }

  static func isASCII(_ name: String) -> Bool {
    switch name {
    case "us-ascii", "ascii", "ansi_x3.4-1968", "ansi_x3.4-1986", "iso646-us": true
    default: false
    }
  }
}
