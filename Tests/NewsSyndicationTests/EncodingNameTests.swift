import NewsCore
import NewsSyndication
import Testing

@Suite struct `Names of encodings` {
  @Test(arguments: [
    "utf-8", "UTF-16", "latin1", "windows-1251", "koi8-r", "KOI8_U", "shift_jis", "gb2312", "big5", "euc-kr",
    "iso-2022-jp", "x-mac-cyrillic", "tis-620", "cp037", "IBM01140", "ebcdic-de-273+euro", "tscii", "viscii",
    "iso-8859-16", "iso8859_5", "cp866", "csisolatin9", "arabic", "hz-gb-2312", "utf-7", "armscii-8",
    "cp10007",
  ])
  func `Encodings that feeds use can be decoded`(_ name: String) {
    #expect(KnownEncodings.contains(name))
  }

  /// iconv has converters for all of these.
  @Test(arguments: [
    "iso-2022-jp-3", "iso-2022-cn-ext", "ibm930", "ibm939", "cp1364", "ibm1390", "ibm1399",
    "utf-7-imap",
    "euc-jisx0213", "shift_jisx0213", "brf", "internal", "ucs4", "wchar_t", "csiso2022cn",
  ])
  func `Encodings that feeds do not use are refused`(_ name: String) {
    let bytes = Array(
      "<?xml version='1.0' encoding='\(name)'?><rss><channel><title>a</title></channel></rss>".utf8
    )
    #expect(!KnownEncodings.contains(name))
    let feed = try? FeedParser().parse(FeedDocument(bytes: bytes))
    #expect(feed?.encoding == "utf-8")
    #expect(feed?.title == "a")
  }
}
