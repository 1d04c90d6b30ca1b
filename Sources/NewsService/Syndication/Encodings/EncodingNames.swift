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

extension EncodingNames {
  /// Maps names of the IANA registry and the WHATWG encoding standard that iconv lacks (in lower case) to iconv names.
  static let aliases: [String: String] = {
    let pairs = """
      866 IBM866 arabic ISO-8859-6 asmo-708 ISO-8859-6 cn-gb GB18030
      cp-is IBM861 cyrillic-asian PT154 dos-862 IBM862 dos-866 IBM866 dos-874 CP874
      csdecmcs DEC-MCS csgbk GB18030 csgb18030 GB18030 csbig5hkscs BIG5-HKSCS
      csibm861 IBM861 csibm866 IBM866 csibm00858 CP858 csiso885913 ISO-8859-13 csiso885914 ISO-8859-14
      csiso885915 ISO-8859-15 csiso885916 ISO-8859-16 csiso88596e ISO-8859-6 csiso88596i ISO-8859-6
      csiso88598e ISO-8859-8 csiso88598i ISO-8859-8 csisolatin9 ISO-8859-15 cskoi8u KOI8-U cskz1048 RK1048
      csksc56011987 CP949 iso-ir-149 CP949 korean CP949 csiso58gb231280 GB18030 iso-ir-58 GB18030
      csgb231280 GB18030 csmacintosh MACINTOSH cspc862latinhebrew IBM862 cspcp855 IBM855 csptcp154 PT154
      ptcp154 PT154 kz-1048 RK1048 strk1048-2002 RK1048 cstis620 CP874 csviscii VISCII
      csutf7 UTF-7 csutf16 UTF-16 csutf16be UTF-16BE csutf16le UTF-16LE csutf32 UTF-32 csutf32be UTF-32BE
      csutf32le UTF-32LE iso-10646-ucs-basic US-ASCII csunicodeascii US-ASCII csunicodelatin1 ISO-8859-1
      iso-10646-unicode-latin1 ISO-8859-1 iso-8859-1-windows-3.0-latin-1 CP1252 cswindows30latin1 CP1252
      iso-8859-1-windows-3.1-latin-1 CP1252 cswindows31latin1 CP1252

      iso-8859-6-e ISO-8859-6 iso-8859-6-i ISO-8859-6 iso_8859-6-e ISO-8859-6 iso_8859-6-i ISO-8859-6
      iso_8859-8-e ISO-8859-8 iso_8859-8-i ISO-8859-8 iso-8859-11 CP874 iso885911 CP874 iso_8859-11 CP874
      koi KOI8-R koi8_r KOI8-R koi8-ru KOI8-U latin-9 ISO-8859-15 l9 ISO-8859-15 latin10 ISO-8859-16
      iso-celtic ISO-8859-14 mskanji CP932 pc-multilingual-850+euro CP858
      sun_eu_greek ISO-8859-7 greek8 ISO-8859-7 tis620 CP874 tis-620-2533 CP874 unicodefeff UTF-16LE
      unicodefffe UTF-16BE utf-16-be UTF-16BE utf-16-le UTF-16LE iso-2022-cn-ext ISO-2022-CN-EXT
      x-mac-ce MAC-CENTRALEUROPE macce MAC-CENTRALEUROPE x-mac-centraleurroman MAC-CENTRALEUROPE
      x-mac-icelandic MAC-IS x-mac-ukrainian MAC-UK x-big5 BIG5-HKSCS x-euc-kr CP949 x-johab JOHAB
      ms949 CP949 ks_c_5601 CP949 x-windows-949 CP949 windows-936 GB18030 gb_2312 GB18030 euccn GB18030
      ksc_5601_1987 CP949 cskoi8r KOI8-R x-euc-cn GB18030 euc-cn GB18030
      extended_unix_code_packed_format_for_japanese EUC-JP
      ebcdic-us-37+euro IBM1140 ebcdic-de-273+euro IBM1141 ebcdic-dk-277+euro IBM1142
      ebcdic-no-277+euro IBM1142 ebcdic-fi-278+euro IBM1143 ebcdic-se-278+euro IBM1143
      ebcdic-it-280+euro IBM1144 ebcdic-es-284+euro IBM1145 ebcdic-gb-285+euro IBM1146
      ebcdic-fr-297+euro IBM1147 ebcdic-international-500+euro IBM1148 ebcdic-is-871+euro IBM1149
      """
    let words = pairs.split { $0 == " " || $0 == "\n" }.map(String.init)
    var table: [String: String] = [:]
    for index in stride(from: 0, to: words.count - 1, by: 2) { table[words[index]] = words[index + 1] }
    return table
  }()
}

extension EncodingNames {
  /// True for names that may be passed to iconv.
  ///
  /// The document chooses the name, and iconv loads a module for each. Allowed are the encodings of the WHATWG
  /// standard, single-byte tables, and the East Asian encodings of feeds. Excluded are the stateful EBCDIC pages, rare
  /// ISO 2022 variants and encodings that combine bytes to a character, whose converters have looped and aborted.
  static func isDecodable(_ name: String) -> Bool {
    let name = name.lowercased()
    if decodableNames.contains(name) { return true }
    guard let family = decodableFamilies.first(where: { name.hasPrefix($0) }), !combiningNames.contains(name)
    else { return false }
    // glibc also knows `ibm-930`.
    let member = name.dropFirst(family.count).drop { $0 == "-" }
    return !member.isEmpty && !statefulPages.contains(String(member)) && !member.hasPrefix("2022")
  }

  /// Prefixes of the names of single-byte encodings.
  private static let decodableFamilies = [
    "iso-8859-", "iso8859-", "iso_8859-", "iso-ir-", "csiso", "windows-", "csibm", "cp", "ibm", "ebcdic-",
    "csebcdic", "koi8-", "cskoi8", "mac", "latin", "hp-", "georgian-", "l",
  ]

  /// Stateful EBCDIC code pages, which switch between one and two bytes per character.
  private static let statefulPages: Set<String> = [
    "930", "933", "935", "937", "939", "1364", "1371", "1388", "1390", "1399",
  ]

  /// Names of ANSI X3.110, T.61 and ISO 6937 in the families.
  private static let combiningNames: Set<String> = [
    "iso-ir-90", "iso-ir-99", "iso-ir-103", "iso-ir-156", "csiso90", "csiso99naplps", "csiso103t618bit",
  ]

  private static let decodableNames: Set<String> = Set(
    """
    utf-7 utf-16 utf-16be utf-16le utf-32 utf-32be utf-32le us-ascii gb18030 gbk euc-cn big5 big5-hkscs big5hkscs
    shift_jis sjis euc-jp euc-jp-ms iso-2022-jp iso-2022-jp-2 euc-kr uhc johab iso-2022-kr iso-2022-cn euc-tw
    arabic cyrillic greek hebrew greek8 greek7 armscii-8 asmo_449 asmo-708 dec-mcs dec ecma-114 ecma-118 ecma-cyrillic
    elot_928 isiri-3342 mik nextstep pt154 rk1048 roman8 r8 csmacintosh tis-620 tis620 tcvn tcvn5712-1 tcvn-5712
    viscii koi-8 gost_19768-74 cwi win-sami-2 inis inis-8
    """.split { $0 == " " || $0 == "\n" }.map(String.init)
  )
}
