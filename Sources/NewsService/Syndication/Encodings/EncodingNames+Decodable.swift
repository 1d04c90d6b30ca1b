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
