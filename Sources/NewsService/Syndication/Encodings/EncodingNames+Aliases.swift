import NewsToolbox

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
