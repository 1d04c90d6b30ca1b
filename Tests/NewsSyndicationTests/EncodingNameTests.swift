import NewsCore
import NewsSyndication
import Testing

@Suite struct `Names of encodings` {
  @Test(arguments: [
    "utf-8", "UTF-16", "latin1", "windows-1251", "koi8-r", "KOI8_U", "shift_jis", "gb2312", "big5", "euc-kr",
    "iso-2022-jp", "x-mac-cyrillic", "tis-620", "cp037", "IBM01140", "ebcdic-de-273+euro", "viscii",
    "iso-8859-16", "iso8859_5", "cp866", "csisolatin9", "arabic", "hz-gb-2312", "utf-7", "armscii-8",
    "cp10007",
  ])
  func `Encodings that feeds use are known`(_ name: String) {
    #expect(KnownEncodings.contains(name))
  }

  @Test(arguments: [1, 5, 6, 40])
  func `Surrogate pairs in UTF-8 are decoded, however many there are`(_ count: Int) throws {
    // U+1F600 as two surrogates of three bytes each.
    let pairs = [[UInt8]](repeating: [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], count: count).joined()
    let bytes = Array("<rss><channel><title>a".utf8) + pairs + Array("</title></channel></rss>".utf8)
    let feed = try FeedParser().parse(FeedDocument(bytes: bytes))
    #expect(feed.title == "a" + String(repeating: "\u{1F600}", count: count))
  }

  @Test(
    arguments: [
      ("latin1", [0xE9], "é"), ("windows-1251", [0xDF], "Я"), ("koi8-r", [0xF1], "Я"),
      ("KOI8_U", [0xA7], "ї"), ("shift_jis", [0x82, 0xA0], "あ"), ("gb2312", [0xD6, 0xD0], "中"),
      ("big5", [0xA4, 0xA4], "中"), ("euc-kr", [0xB0, 0xA1], "가"), ("x-mac-cyrillic", [0x9F], "Я"),
      ("tis-620", [0xA1], "ก"), ("viscii", [0xAA], "ế"), ("iso-8859-16", [0xBA], "ș"),
      ("iso8859_5", [0xCF], "Я"), ("cp866", [0x9F], "Я"), ("csisolatin9", [0xA4], "€"),
      ("arabic", [0xE5], "م"), ("armscii-8", [0xB2], "Ա"),
    ] as [(String, [UInt8], String)]
  )
  func `Text in an encoding that feeds use is decoded`(_ name: String, _ encoded: [UInt8], _ text: String)
    throws
  {
    let head = "<?xml version='1.0' encoding='\(name)'?><rss><channel><title>a"
    let bytes = Array(head.utf8) + encoded + Array("b</title></channel></rss>".utf8)
    #expect(try FeedParser().parse(FeedDocument(bytes: bytes)).title == "a\(text)b")
  }

  /// iconv has converters for all of these.
  @Test(arguments: [
    "iso-2022-jp-3", "iso-2022-cn-ext", "ibm930", "ibm939", "cp1364", "ibm1390", "ibm1399",
    "utf-7-imap",
    "euc-jisx0213", "shift_jisx0213", "brf", "internal", "ucs4", "wchar_t", "csiso2022cn",
    "tscii", "t.61-8bit", "iso_6937", "iso_6937-2", "ansi_x3.110", "iso-ir-156", "csiso103t618bit", "ibm-930",
  ])
  func `A declared encoding that feeds do not use is ignored, and UTF-8 is read`(_ name: String) {
    let bytes = Array(
      "<?xml version='1.0' encoding='\(name)'?><rss><channel><title>a</title></channel></rss>".utf8
    )
    #expect(!KnownEncodings.contains(name))
    let feed = try? FeedParser().parse(FeedDocument(bytes: bytes))
    #expect(feed?.encoding == "utf-8")
    #expect(feed?.title == "a")
  }

  /// A multibyte encoding also decodes most of UTF-8, as other characters.
  @Test(arguments: ["gb2312", "gbk", "gb18030", "big5", "shift_jis", "euc-kr", "euc-jp"])
  func `UTF-8 with one invalid byte is read as UTF-8, even if an East Asian encoding is declared`(
    _ name: String
  ) throws {
    let title = String(repeating: "中文新闻标题", count: 40)
    var bytes = Array("<?xml version=\"1.0\" encoding=\"\(name)\"?><rss version=\"2.0\"><channel>".utf8)
    bytes += Array("<title>\(title)</title><description>x".utf8) + [0xFF]
    bytes += Array("</description></channel></rss>".utf8)
    let feed = try FeedParser().parse(FeedDocument(bytes: bytes))
    #expect(feed.title == title)
    #expect(feed.encoding == "utf-8")
  }

  /// `é`, a no-break space and `»` in Windows-1252 are also one character of UTF-8.
  @Test func `French quotations in Windows-1252 are not read as UTF-8`() throws {
    let quoted: [UInt8] = [0xAB, 0xA0] + Array("dou".utf8) + [0xE9, 0xA0, 0xBB]
    var bytes = Array("<rss version=\"2.0\"><channel><title>".utf8)
    for _ in 0..<3 { bytes += quoted + Array(" et ".utf8) }
    bytes += Array("</title></channel></rss>".utf8)
    let feed = try FeedParser().parse(FeedDocument(bytes: bytes))
    #expect(feed.title?.utf8.contains(0xBB) == true)
    #expect(feed.title?.unicodeScalars.contains("頻") == false)
    #expect(feed.encoding == "windows-1252")
  }

  @Test(arguments: ["<!-->", "a<!-- x --!> b", "<!--->a b"])
  func `A description that contains an HTML comment is read as HTML`(_ description: String) throws {
    let document = """
      <rss version="2.0"><channel><title>T</title><item><guid>1</guid>
      <description><![CDATA[\(description)]]></description></item></channel></rss>
      """
    let item = try #require(try FeedParser().parse(FeedDocument(bytes: Array(document.utf8))).items.first)
    let text = [item.summary, item.contentText, item.contentHTML].compactMap { $0 }.joined()
    #expect(!text.utf8.contains(UInt8(ascii: "!")) && !text.utf8.contains(UInt8(ascii: "-")), "\(text)")
  }
}
