import NewsCore
import Testing

@testable import NewsSyndication

/// Each case is a document with one fault and its one finding.
@Suite struct `Publisher check, rule by rule` {
  struct Case: CustomTestStringConvertible, Sendable {
    var document: String
    var finding: String
    var testDescription: String { finding }
  }

  private func findings(_ document: String, contentType: String? = nil) throws -> [String] {
    let latest = Timestamp(CivilTime(year: 2026, month: 11, day: 21))
    let document = FeedDocument(bytes: Array(document.utf8), contentType: contentType)
    return try PublisherCheck.problems(of: document, limits: .init(), latest: latest).map(\.message)
  }

  // MARK: RSS

  private static let self_ = "<atom:link rel=\"self\" href=\"https://e.example/f\"/>"
  private static let id = "<guid>https://e.example/1</guid>"
  private static let date = "<pubDate>Fri, 20 Nov 2026 08:15:00 +0000</pubDate>"
  private static let namespaces = """
    xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" \
    xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/" \
    xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:media="http://search.yahoo.com/mrss/" \
    xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#" \
    xmlns:georss="http://www.georss.org/georss" xmlns:slash="http://purl.org/rss/1.0/modules/slash/"
    """

  private static func rss(_ channel: String, version: String = "version=\"2.0\"") -> String {
    """
    <rss \(version) \(namespaces)><channel><title>T</title><link>https://e.example/</link>\
    <description>D</description>\(self_)\(channel)</channel></rss>
    """
  }
  private static func item(_ text: String) -> String {
    rss("<item><title>t</title>\(id)\(date)\(text)</item>")
  }
  private static func items(_ text: String) -> String { rss("<item>\(text)</item>") }

  static let rss: [Case] = [
    .init(
      document: rss("").replacing("<rss ", with: "<rss xmlns=\"http://example.com/ns/\" "),
      finding: "the namespace of <rss> is http://example.com/ns/; RSS has none"
    ),
    .init(document: rss("<ttl>0</ttl>"), finding: "<ttl> is 0"),
    .init(
      document: rss(
        "<cloud domain=\"x\" port=\"0\" path=\"/\" protocol=\"xml-rpc\" registerProcedure=\"p\"/>"
      ),
      finding: "the port of <cloud> is not from 1 to 65535: 0"
    ),
    .init(
      document: rss("<skipHours><hour>1</hour><hour>1</hour></skipHours>"),
      finding: "<skipHours> has 1 twice"
    ),
    .init(
      document: rss("<skipDays><day>Monday</day><day>Monday</day></skipDays>"),
      finding: "<skipDays> has Monday twice"
    ),
    .init(
      document: rss(
        "<textInput><title>t</title><description>d</description><name>42</name><link>https://e.example/</link></textInput>"
      ),
      finding: "<name> does not begin with a letter: 42"
    ),
    .init(
      document: rss(
        "<image><url>https://e.example/x</url><title>T</title><link>https://e.example/</link><height>0</height></image>"
      ),
      finding: "<height> is 0"
    ),
    .init(
      document: items("<title>t</title><guid ispermalink=\"false\">https://e.example/1</guid>" + date),
      finding: "the attribute isPermaLink of <guid> is written ispermalink"
    ),
    .init(
      document: items("<title>t</title><guid>urn:x:y</guid>" + date),
      finding: "<guid> lacks isPermaLink=\"false\", but no page has such an address: urn:x:y"
    ),
    .init(
      document: rss("<skipHours><hour>1</hour><hour>01</hour></skipHours>"),
      finding: "<skipHours> has 1 twice"
    ),
    .init(
      document: item("<dc:date>2026-11-20</dc:date><dc:date>2026-11-21</dc:date>"),
      finding: "<item> has more than one <dc:date>"
    ),
    .init(
      document: item("<media:credit role=\"foo\">A</media:credit>"),
      finding: "the role of <media:credit> is not one of the EBU's roles: foo"
    ),
    .init(
      document: items("<title>t</title><guid isPermaLink=\"true\">urn:uuid:1</guid>" + date),
      finding: "<guid> says isPermaLink=\"true\", but no page has such an address: urn:uuid:1"
    ),
    .init(
      document: rss("<item><title>t</title>\(id)\(date)</item><language>en</language>"),
      finding: "<language> comes after an <item>; put the items last"
    ),
    .init(
      document: item("<description>&lt;p onclick=\"x()\"&gt;x&lt;/p&gt;</description>"),
      finding: "<description> contains an event handler, which readers remove"
    ),
    .init(
      document: item("<description>&lt;?import namespace=\"t\"&gt;x</description>"),
      finding: "<description> contains <?import>, which readers remove"
    ),
    .init(
      document: item("<xhtml:body><p onload=\"x()\">x</p></xhtml:body>").replacing(
        "<xhtml:body>",
        with: "<body xmlns=\"http://www.w3.org/1999/xhtml\">"
      ).replacing("</xhtml:body>", with: "</body>"),
      finding: "<xhtml:body> contains the event handler onload, which readers remove"
    ),
    .init(document: rss("", version: ""), finding: "<rss> has no version"),
    .init(
      document: rss("", version: "version=\"3.0\""),
      finding: "the version of <rss> is 3.0, not one of 0.90, 0.91, 0.92, 0.93, 0.94, 2.0, 2.0.1, 2.00, 2.01"
    ),
    .init(document: rss("<title>again</title>"), finding: "<channel> has more than one <title>"),
    .init(
      document: rss("").replacing(self_, with: ""),
      finding: "<channel> has no <atom:link rel=\"self\"> with the feed's own address"
    ),
    .init(
      document: rss("").replacing("<description>D</description>", with: ""),
      finding: "<channel> has no <description>"
    ),
    .init(document: rss("").replacing("<title>T</title>", with: ""), finding: "<channel> has no <title>"),
    .init(document: rss("").replacing("<title>T</title>", with: "<title/>"), finding: "<title> is empty"),
    .init(
      document: rss("").replacing("<link>https://e.example/</link>", with: ""),
      finding: "<channel> has no <link>"
    ),
    .init(
      document: rss("<language>english</language>"),
      finding: "<language> is not a BCP 47 language tag such as en or pt-BR: english"
    ),
    .init(
      document: rss("<language>en_US</language>"),
      finding: "<language> is not a BCP 47 language tag such as en or pt-BR: en_US"
    ),
    .init(
      document: rss("<managingEditor>Bob</managingEditor>"),
      finding: "<managingEditor> has no e-mail address: Bob"
    ),
    .init(document: rss("<webMaster>Bob</webMaster>"), finding: "<webMaster> has no e-mail address: Bob"),
    .init(document: rss("<ttl>-1</ttl>"), finding: "<ttl> is not a whole number: -1"),
    .init(
      document: rss("<cloud domain=\"x\" port=\"80\" path=\"/\" protocol=\"xml-rpc\"/>"),
      finding: "<cloud> has no registerProcedure"
    ),
    .init(
      document: rss("<image><url>https://e.example/x</url><link>https://e.example/</link></image>"),
      finding: "<image> has no <title>"
    ),
    .init(
      document: rss(
        "<image><url>x</url><title>T</title><link>https://e.example/</link></image>"
      ),
      finding: "<url> is not an absolute URL: x"
    ),
    .init(
      document: rss(
        "<image><url>https://e.example/x</url><title>T</title><link>https://e.example/</link><width>500</width></image>"
      ),
      finding: "<width> is more than 144: 500"
    ),
    .init(
      document: rss("<textInput><title>t</title><description>d</description><name>n</name></textInput>"),
      finding: "<textInput> has no <link>"
    ),
    .init(
      document: rss("<skipHours><hour>25</hour></skipHours>"),
      finding: "<hour> is not an hour from 0 to 23: 25"
    ),
    .init(
      document: rss("<skipDays><day>Mon</day></skipDays>"),
      finding: "<day> is Mon, not one of Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday"
    ),
    .init(document: rss("<category/>"), finding: "<category> is empty"),
    .init(document: rss("<skipHours/>"), finding: "<skipHours> has no <hour>"),
    .init(document: rss(self_), finding: "<channel> has two links with rel=\"self\""),
    .init(
      document: rss("").replacing("https://e.example/f", with: "f"),
      finding: "the href of <atom:link> is not an absolute URL: f"
    ),
    .init(document: rss("stray"), finding: "<channel> contains text: stray"),
    .init(
      document: items("<title>t</title><guid isPermaLink=\"\">https://e.example/1</guid>" + date),
      finding: "the isPermaLink of <guid> is empty"
    ),
    .init(
      document: item("<description>&lt;a href=\"javascript:x()\"&gt;x&lt;/a&gt;</description>"),
      finding: "<description> contains a javascript: URL, which readers remove"
    ),
    .init(document: rss("<foo>x</foo>"), finding: "<channel> must not contain <foo>"),
    .init(
      document: rss("<pubdate>x</pubdate>"),
      finding: "<channel> must not contain <pubdate>; it is written <pubDate>"
    ),
    .init(document: items(id + date), finding: "<item> has neither a <title> nor a <description>"),
    .init(document: items("<title>t</title>" + date), finding: "<item> has no <guid>"),
    .init(document: items("<title>t</title>" + id), finding: "<item> has no <pubDate>"),
    .init(
      document: items("<title>a &lt;b&gt;b&lt;/b&gt;</title>" + id + date),
      finding: "<title> contains markup; titles are plain text"
    ),
    .init(
      document: items("<title>t</title><guid>abc</guid>" + date),
      finding: "<guid> is not an absolute URL and lacks isPermaLink=\"false\": abc"
    ),
    .init(
      document: items("<title>t</title><guid isPermaLink=\"maybe\">https://e.example/1</guid>" + date),
      finding: "the isPermaLink of <guid> is maybe, not one of true, false"
    ),
    .init(document: items("<title>t</title><guid/>" + date), finding: "<guid> is empty"),
    .init(
      document: rss("<item><title>a</title>\(id)\(date)</item><item><title>b</title>\(id)\(date)</item>"),
      finding: "<guid> is also that of another item: https://e.example/1"
    ),
    .init(document: item("<link>/1</link>"), finding: "<link> is not an absolute URL: /1"),
    .init(document: item("<link/>"), finding: "<link> is empty"),
    .init(
      document: item("<link>https://e.example/a b</link>"),
      finding: "<link> is not an absolute URL: https://e.example/a b"
    ),
    .init(document: item("<comments>hello</comments>"), finding: "<comments> is not an absolute URL: hello"),
    .init(document: item("<author>Bob</author>"), finding: "<author> has no e-mail address: Bob"),
    .init(document: item("<source>x</source>"), finding: "<source> has no url"),
    .init(
      document: item("<enclosure url=\"x.mp3\" length=\"1\" type=\"audio/mpeg\"/>"),
      finding: "the url of <enclosure> is not an absolute URL: x.mp3"
    ),
    .init(
      document: item("<enclosure url=\"https://e.example/x.mp3\" type=\"audio/mpeg\"/>"),
      finding: "<enclosure> has no length"
    ),
    .init(
      document: item("<enclosure url=\"https://e.example/x.mp3\" length=\"1\"/>"),
      finding: "<enclosure> has no type"
    ),
    .init(
      document: item("<enclosure url=\"https://e.example/x.mp3\" length=\"1 MB\" type=\"audio/mpeg\"/>"),
      finding: "the length of <enclosure> is not a number of bytes"
    ),
    .init(
      document: item("<enclosure url=\"https://e.example/x.mp3\" length=\"1\" type=\"mp3\"/>"),
      finding: "the type of <enclosure> is not a media type: mp3"
    ),
    .init(
      document: item("<description>&lt;script&gt;x&lt;/script&gt;</description>"),
      finding: "<description> contains <script>, which readers remove"
    ),
    .init(
      document: item("<description>&lt;img src=\"a.png\"&gt;</description>"),
      finding: "the HTML of <description> contains a relative URL: a.png"
    ),
    .init(
      document: item("<content:encoded>&lt;a href=\"/x\"&gt;x&lt;/a&gt;</content:encoded>"),
      finding: "the HTML of <content:encoded> contains a relative URL: /x"
    ),
  ]

  static let dates: [Case] = [
    (
      "Mon, 08 Nov 2020 10:00:00 GMT",
      "has the wrong day of the week: Mon, 08 Nov 2020 10:00:00 GMT is a Sun"
    ),
    ("Sat, 20 Nov 2027 08:15:00 +0000", "is in the future: Sat, 20 Nov 2027 08:15:00 +0000"),
    ("2026-11-20T08:15:00Z", "is not an RFC 822 date such as Fri, 20 Nov 2026 08:15:00 +0000"),
    (
      "Fri, 20 November 2026 08:15:00 GMT",
      "is not an RFC 822 date such as Fri, 20 Nov 2026 08:15:00 +0000"
    ),
    ("Fri, 20 Nov 2026 08:15:00", "is not an RFC 822 date such as Fri, 20 Nov 2026 08:15:00 +0000"),
    (
      "Fri, 20 Nov 2026 08:15:00 +01:00",
      "is not an RFC 822 date such as Fri, 20 Nov 2026 08:15:00 +0000"
    ),
    ("31 Jun 2020 10:00:00 GMT", "is not a valid date: 31 Jun 2020 10:00:00 GMT"),
    ("yesterday", "is not a date: yesterday"),
  ].map { date, fault in
    .init(
      document: items("<title>t</title>\(id)<pubDate>\(date)</pubDate>"),
      finding: "<pubDate> \(fault)"
    )
  }

  static let modules: [Case] = [
    .init(
      document: item("<media:content url=\"https://e.example/a\" bitrate=\"-3\"/>"),
      finding: "the bitrate of <media:content> is not a number: -3"
    ),
    .init(
      document: item("<media:content url=\"https://e.example/a\" framerate=\"x\"/>"),
      finding: "the framerate of <media:content> is not a number: x"
    ),
    .init(
      document: item("<media:content url=\"https://e.example/a\" channels=\"-3\"/>"),
      finding: "the channels of <media:content> is not a number: -3"
    ),
    .init(
      document: item("<media:content url=\"https://e.example/a\" width=\"-3\"/>"),
      finding: "the width of <media:content> is not a whole number: -3"
    ),
    .init(
      document: item("<media:content url=\"https://e.example/a\" height=\"2em\"/>"),
      finding: "the height of <media:content> is not a whole number: 2em"
    ),
    .init(
      document: item("<media:content url=\"https://e.example/a\" isDefault=\"1\"/>"),
      finding: "the isDefault of <media:content> is 1, not one of true, false"
    ),
    .init(
      document: item("<media:content url=\"https://e.example/a\" expression=\"none\"/>"),
      finding: "the expression of <media:content> is none, not one of sample, full, nonstop"
    ),
    .init(
      document: item("<media:content url=\"https://e.example/a\" lang=\"english\"/>"),
      finding: "the lang of <media:content> is not a BCP 47 language tag such as en or pt-BR: english"
    ),
    .init(
      document: item("<media:rating scheme=\"urn:mpaa\">tv-ma</media:rating>"),
      finding: "<media:rating> is tv-ma, not one of g, pg, pg-13, r, nc-17, nr"
    ),
    .init(
      document: item("<media:rating>x</media:rating>"),
      finding: "<media:rating> is x, not one of adult, nonadult"
    ),
    .init(
      document: item("<media:rating scheme=\"urn:icra\">x</media:rating>"),
      finding: "<media:rating> is not an ICRA label such as r (cz 1): x"
    ),
    .init(
      document: item("<media:hash algo=\"crc\">dfdec888b72151965a34b4b59031290a</media:hash>"),
      finding: "the algo of <media:hash> is crc, not one of md5, sha-1"
    ),
    .init(
      document: item("<media:hash>abc</media:hash>"),
      finding: "<media:hash> is not 32 hexadecimal digits: abc"
    ),
    .init(
      document: item("<media:credit role=\"Author\">A</media:credit>"),
      finding: "the role of <media:credit> is not in lower case: Author"
    ),
    .init(
      document: item("<media:restriction>x</media:restriction>"),
      finding: "<media:restriction> has no relationship"
    ),
    .init(
      document: item("<media:restriction relationship=\"maybe\">x</media:restriction>"),
      finding: "the relationship of <media:restriction> is maybe, not one of allow, deny"
    ),
    .init(
      document: item("<media:restriction relationship=\"allow\" type=\"country\">usa</media:restriction>"),
      finding: "<media:restriction> contains a country that is not two letters: usa"
    ),
    .init(
      document: item("<media:title type=\"text\">x</media:title>"),
      finding: "the type of <media:title> is text, not one of plain, html"
    ),
    .init(
      document: item("<media:text start=\"x\">x</media:text>"),
      finding: "the start of <media:text> is not hours:minutes:seconds: x"
    ),
    .init(
      document: item("<media:thumbnail url=\"https://e.example/a\" time=\"x\"/>"),
      finding: "the time of <media:thumbnail> is not hours:minutes:seconds: x"
    ),
    .init(
      document: item("<media:copyright url=\"x\">x</media:copyright>"),
      finding: "the url of <media:copyright> is not an absolute URL: x"
    ),
    .init(
      document: item("<slash:hit_parade>5,x</slash:hit_parade>"),
      finding: "<slash:hit_parade> is not a list of numbers: 5,x"
    ),
    .init(
      document: item("<itunes:duration>00:07:74</itunes:duration>"),
      finding: "<itunes:duration> is not seconds or hours:minutes:seconds: 00:07:74"
    ),
    .init(
      document: item("<itunes:explicit>yes</itunes:explicit><itunes:explicit>no</itunes:explicit>"),
      finding: "<item> has more than one <itunes:explicit>"
    ),
    .init(
      document: item("<content:encoded>a</content:encoded><content:encoded>b</content:encoded>"),
      finding: "<item> has more than one <content:encoded>"
    ),
    .init(
      document: item("<dc:language>en</dc:language><dc:language>de</dc:language>"),
      finding: "<item> has more than one <dc:language>"
    ),
    .init(
      document: rss("<itunes:duration>5</itunes:duration>"),
      finding: "<channel> must not contain <itunes:duration>"
    ),
    .init(
      document: rss("<sy:updatePeriod>daily</sy:updatePeriod><sy:updatePeriod>daily</sy:updatePeriod>"),
      finding: "<channel> has more than one <sy:updatePeriod>"
    ),
    .init(
      document: item("<dc:date>20 Nov 2026</dc:date>"),
      finding: "<dc:date> is not a W3C-DTF date such as 2026-11-20T08:15:00Z or 2026-11-20"
    ),
    .init(
      document: item("<itunes:duration>abc</itunes:duration>"),
      finding: "<itunes:duration> is not seconds or hours:minutes:seconds: abc"
    ),
    .init(
      document: item("<itunes:explicit>maybe</itunes:explicit>"),
      finding: "<itunes:explicit> is maybe, not one of true, false, yes, no, clean, explicit"
    ),
    .init(
      document: item("<itunes:episode>one</itunes:episode>"),
      finding: "<itunes:episode> is not a whole number: one"
    ),
    .init(
      document: item("<itunes:episodeType>whole</itunes:episodeType>"),
      finding: "<itunes:episodeType> is whole, not one of full, trailer, bonus"
    ),
    .init(document: item("<itunes:episode>0</itunes:episode>"), finding: "<itunes:episode> is 0"),
    .init(
      document: item("<itunes:image href=\"x\"/>"),
      finding: "the href of <itunes:image> is not an absolute URL: x"
    ),
    .init(document: item("<itunes:image/>"), finding: "<itunes:image> has no href"),
    .init(document: rss("<itunes:category/>"), finding: "<itunes:category> has no text"),
    .init(
      document: rss("<itunes:owner><itunes:name>N</itunes:name></itunes:owner>"),
      finding: "<itunes:owner> has no <itunes:email>"
    ),
    .init(
      document: item("<media:content url=\"x.jpg\" medium=\"image\"/>"),
      finding: "the url of <media:content> is not an absolute URL: x.jpg"
    ),
    .init(
      document: item("<media:content url=\"https://e.example/x\" medium=\"film\"/>"),
      finding: "the medium of <media:content> is film, not one of image, audio, video, document, executable"
    ),
    .init(document: item("<media:thumbnail/>"), finding: "<media:thumbnail> has no url"),
    .init(
      document: item("<podcast:transcript url=\"https://e.example/t.srt\"/>"),
      finding: "<podcast:transcript> has no type"
    ),
    .init(document: rss("<podcast:guid>x</podcast:guid>"), finding: "<podcast:guid> is not a UUID: x"),
    .init(
      document: rss("<podcast:locked>maybe</podcast:locked>"),
      finding: "<podcast:locked> is maybe, not one of yes, no"
    ),
    .init(
      document: item("<georss:point>200 300</georss:point>"),
      finding: "<georss:point> is not a latitude and a longitude: 200 300"
    ),
    .init(
      document: item("<dc:creator xmlns:dc=\"http://purl.org/dc/elements/1.1\">A</dc:creator>"),
      finding:
        "the namespace http://purl.org/dc/elements/1.1 should be http://purl.org/dc/elements/1.1/"
    ),
    .init(document: item("<geo:lat>91</geo:lat>"), finding: "<geo:lat> is not a number of degrees: 91"),
    .init(
      document: item("<slash:comments>many</slash:comments>"),
      finding: "<slash:comments> is not a whole number: many"
    ),
    .init(
      document: rss("<sy:updatePeriod>often</sy:updatePeriod>"),
      finding: "<sy:updatePeriod> is often, not one of hourly, daily, weekly, monthly, yearly"
    ),
    .init(
      document: rss("<item xml:lang=\"english\"><title>t</title>\(id)\(date)</item>"),
      finding: "the xml:lang of <item> is not a BCP 47 language tag such as en or pt-BR: english"
    ),
  ]

  // MARK: RSS 1.0

  private static func rdf(
    _ channel: String,
    _ item: String,
    about: String = "rdf:about=\"https://e.example/1\""
  ) -> String {
    """
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">\
    <channel rdf:about="https://e.example/"><title>T</title><link>https://e.example/</link>\(channel)\
    <items><rdf:Seq><rdf:li rdf:resource="https://e.example/1"/></rdf:Seq></items></channel>\
    <item \(about)><title>t</title>\(item)</item></rdf:RDF>
    """
  }
  private static let rdfLink = "<link>https://e.example/1</link>"

  static let rdf: [Case] = [
    .init(
      document: rdf("<description>D</description>", rdfLink, about: "rdf:about=\"not an address\""),
      finding: "the rdf:about of <item> is not an absolute URL: not an address"
    ),
    .init(
      document: rdf("<description>D</description><items/>", rdfLink),
      finding: "<channel> has more than one <items>"
    ),
    .init(
      document: rdf("<description>D</description>", rdfLink).replacing(
        "</rdf:RDF>",
        with: "<item rdf:about=\"https://e.example/1\"><title>t</title>\(rdfLink)</item></rdf:RDF>"
      ),
      finding: "the rdf:about of <item> is also that of another item: https://e.example/1"
    ),
    .init(
      document: rdf("<description>D</description>", rdfLink).replacing(
        "</rdf:RDF>",
        with: "<image><url>https://e.example/i</url><title>t</title>\(rdfLink)</image></rdf:RDF>"
      ),
      finding: "<image> has no rdf:about"
    ),
    .init(
      document: rdf("<description>D</description>", rdfLink).replacing(
        "</rdf:RDF>",
        with: "<image rdf:about=\"https://e.example/i\"><title>t</title>\(rdfLink)</image></rdf:RDF>"
      ),
      finding: "<image> has no <url>"
    ),
    .init(
      document: rdf("<description>D</description>", rdfLink).replacing(
        "xmlns=\"http://purl.org/rss/1.0/\"",
        with: "xmlns=\"http://example.com/\""
      ),
      finding: "the namespace of <channel> is http://example.com/; RSS 1.0 has http://purl.org/rss/1.0/"
    ),
    .init(
      document: rdf("<description>D</description>", rdfLink).replacing("rdf:RDF", with: "rdf:rdf"),
      finding: "the root element is <rdf>; it is written <rdf:RDF>"
    ),
    .init(document: rdf("<description>D</description>", ""), finding: "<item> has no <link>"),
    .init(
      document: rdf("<description>D</description>", rdfLink, about: ""),
      finding: "<item> has no rdf:about"
    ),
    .init(document: rdf("", rdfLink), finding: "<channel> has no <description>"),
    .init(
      document: rdf("<description>D</description>", rdfLink + "<guid>https://e.example/1</guid>"),
      finding: "<item> must not contain <guid>"
    ),
  ]

  // MARK: Atom

  private static let feedHead = """
    <id>urn:x:f</id><title>T</title><updated>2026-11-20T08:15:00Z</updated>\
    <link rel="self" href="https://e.example/f"/><author><name>A</name></author>
    """
  private static func atom(_ feed: String) -> String {
    "<feed xmlns=\"http://www.w3.org/2005/Atom\">\(feed)</feed>"
  }
  private static func entry(
    _ text: String,
    head: String = "<id>urn:x:1</id><title>t</title><updated>2026-11-20T08:15:00Z</updated>",
    link: String = "<link href=\"https://e.example/1\"/>"
  ) -> String { atom(feedHead + "<entry>\(head)\(link)\(text)</entry>") }

  static let atom: [Case] = [
    .init(
      document: entry(
        "<content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><script>x</script></div></content>"
      ),
      finding: "<content> contains <script>, which readers remove"
    ),
    .init(
      document: entry(
        "<content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><a href=\"x\">x</a></div></content>"
      ),
      finding: "<content> contains a relative URL: x"
    ),
    .init(
      document: entry("<content type=\"text/html\">&lt;script&gt;x&lt;/script&gt;</content>"),
      finding: "<content> contains <script>, which readers remove"
    ),
    .init(
      document: entry("<content type=\"html\">&lt;a onsubmit=\"x\"&gt;x&lt;/a&gt;</content>"),
      finding: "<content> contains an event handler, which readers remove"
    ),
    .init(
      document: entry("", head: "<id> urn:x:1 </id><title>t</title><updated>2026-11-20T08:15:00Z</updated>"),
      finding: "<id> has white space around its value"
    ),
    .init(
      document: entry("", head: "<id>urn:x:1</id><title>t</title><updated>\n2026-11-20T08:15:00Z</updated>"),
      finding: "<updated> has white space around its value"
    ),
    .init(
      document: entry("", link: "<link href=\" https://e.example/1\"/>"),
      finding: "the href of <link> has white space around its value"
    ),
    .init(
      document: entry("", head: "<id>urn:x:1</id><title>t</title><updated>2026-11-20t08:15:00z</updated>"),
      finding: "<updated> has t or z in lower case: 2026-11-20t08:15:00z"
    ),
    .init(
      document: entry("<summary>s</summary><content type=\"html\" src=\"https://e.example/1\"/>"),
      finding: "the type of <content> with src should be a media type, not html"
    ),
    .init(
      document: entry("<summary>s</summary><content type=\"multipart/mixed\">QUJD</content>"),
      finding: "the type of <content> must not be composite: multipart/mixed"
    ),
    .init(
      document: entry("<content type=\"text/plain\">a<b/></content>"),
      finding: "<content> of type text/plain must not contain elements (<b>)"
    ),
    .init(
      document: entry("<summary>s</summary><content type=\"image/png\">not base64!</content>"),
      finding: "<content> of type image/png is not base64"
    ),
    .init(
      document: atom(feedHead + "<generator>a<b/></generator>"),
      finding: "<generator> must not contain elements (<b>)"
    ),
    .init(
      document: atom(feedHead + "<generator uri=\"http:/example.com\">a</generator>"),
      finding: "the uri of <generator> is not a URL: http:/example.com"
    ),
    .init(document: atom(feedHead.replacing("<id>urn:x:f</id>", with: "")), finding: "<feed> has no <id>"),
    .init(
      document: atom(feedHead.replacing("<title>T</title>", with: "")),
      finding: "<feed> has no <title>"
    ),
    .init(
      document: atom(feedHead.replacing("<updated>2026-11-20T08:15:00Z</updated>", with: "")),
      finding: "<feed> has no <updated>"
    ),
    .init(
      document: atom(feedHead.replacing("<link rel=\"self\" href=\"https://e.example/f\"/>", with: "")),
      finding: "<feed> has no <link rel=\"self\"> with its own address"
    ),
    .init(document: atom(feedHead + "<id>urn:x:g</id>"), finding: "<feed> has more than one <id>"),
    .init(document: atom(feedHead + "<foo/>"), finding: "<feed> must not contain <foo>"),
    .init(
      document: atom(feedHead + "<modified>2026-11-20T08:15:00Z</modified>"),
      finding: "<feed> must not contain <modified>"
    ),
    .init(
      document: entry("").replacing("<author><name>A</name></author>", with: ""),
      finding: "<entry> has no <author>, and neither has its feed so far"
    ),
    .init(
      document: entry("<author><uri>https://e.example/</uri></author>"),
      finding: "<author> has no <name>"
    ),
    .init(
      document: entry("<author><name>A</name><email>nobody</email></author>"),
      finding: "<email> is not an e-mail address: nobody"
    ),
    .init(
      document: atom(feedHead).replacing("2005/Atom", with: "2005/atom"),
      finding: "the namespace of <feed> is http://www.w3.org/2005/atom, not http://www.w3.org/2005/Atom"
    ),
    .init(document: entry("<category/>"), finding: "<category> has no term"),
    .init(document: entry("<link/>"), finding: "<link> has no href"),
    .init(
      document: entry("<link href=\"https://e.example/2\"/>"),
      finding: "<entry> has two alternate links of one type and language"
    ),
    .init(
      document: entry("<link rel=\"enclosure\" href=\"https://e.example/2\" type=\"mp3\"/>"),
      finding: "the type of <link> is not a media type: mp3"
    ),
    .init(
      document: entry("<link rel=\"enclosure\" href=\"https://e.example/2\" length=\"big\"/>"),
      finding: "the length of <link> is not a whole number: big"
    ),
    .init(
      document: entry("<link rel=\"related\" href=\"https://e.example/2\" hreflang=\"german\"/>"),
      finding: "the hreflang of <link> is not a BCP 47 language tag such as en or pt-BR: german"
    ),
    .init(
      document: entry("", link: ""),
      finding: "<entry> has neither <content> nor <link>"
    ),
    .init(
      document: entry("", link: "<link rel=\"related\" href=\"https://e.example/2\"/>"),
      finding: "<entry> has neither <content> nor an alternate <link>"
    ),
    .init(
      document: entry("", head: "<id>1</id><title>t</title><updated>2026-11-20T08:15:00Z</updated>"),
      finding: "<id> is not an absolute URL: 1"
    ),
    .init(
      document: entry("", head: "<id>urn:x:1</id><title>t</title><updated>2026-11-20</updated>"),
      finding: "<updated> is not an RFC 3339 date such as 2026-11-20T08:15:00Z"
    ),
    .init(
      document: entry("", head: "<id>urn:x:1</id><title>t</title><updated>2027-11-20T08:15:00Z</updated>"),
      finding: "<updated> is in the future: 2027-11-20T08:15:00Z"
    ),
    .init(
      document: entry(
        "",
        head: "<id>urn:x:1</id><title>a &lt;b&gt;b&lt;/b&gt;</title><updated>2026-11-20T08:15:00Z</updated>"
      ),
      finding: "<title> contains markup; titles are plain text"
    ),
    .init(
      document: entry("<summary type=\"text/html\">x</summary>"),
      finding: "the type of <summary> is text/html, not one of text, html, xhtml"
    ),
    .init(
      document: entry("<summary>a <b>b</b></summary>"),
      finding: "<summary> of type text must not contain elements (<b>)"
    ),
    .init(
      document: entry("<content type=\"xhtml\">x</content>"),
      finding: "<content> of type xhtml has no <div> of XHTML"
    ),
    .init(
      document: entry("<content src=\"https://e.example/2\" type=\"video/mp4\"/>"),
      finding: "<entry> has no <summary>, but its <content> is external or not text"
    ),
    .init(
      document: entry(
        "<summary>s</summary><content src=\"https://e.example/2\" type=\"text/html\">x</content>"
      ),
      finding: "<content> has both src and text"
    ),
    .init(
      document: entry("<content type=\"movie\">x</content><summary>s</summary>"),
      finding: "the type of <content> is not text, html, xhtml or a media type: movie"
    ),
    .init(
      document: entry(
        "<content type=\"html\">&lt;iframe src=\"https://e.example/\"&gt;&lt;/iframe&gt;</content>"
      ),
      finding: "<content> contains <iframe>, which readers remove"
    ),
    .init(
      document: atom(
        feedHead
          + ["t", "u"].map {
            "<entry><id>urn:x:1</id><title>\($0)</title><updated>2026-11-20T08:15:00Z</updated><content>c</content></entry>"
          }.joined()
      ),
      finding: "<id> is also that of another item: urn:x:1"
    ),
    .init(
      document: "<feed version=\"0.3\" xmlns=\"http://purl.org/atom/ns#\"><title>T</title></feed>",
      finding: "Atom 0.3 is obsolete; use Atom 1.0 (RFC 4287)"
    ),
  ]

  // MARK: JSON Feed

  private static let jsonHead = """
    "version":"https://jsonfeed.org/version/1.1","title":"T","home_page_url":"https://e.example/",\
    "feed_url":"https://e.example/f"
    """
  private static func json(_ feed: String, items: String = "") -> String { "{\(feed),\"items\":[\(items)]}" }
  private static func jsonItem(_ text: String, id: String = "\"1\"") -> String {
    json(
      jsonHead,
      items: "{\"id\":\(id),\"content_text\":\"x\",\"date_published\":\"2026-11-20T08:15:00Z\"\(text)}"
    )
  }

  static let json: [Case] = [
    .init(
      document: json(jsonHead.replacing("version/1.1", with: "version/7")),
      finding: "the feed's version is unknown: https://jsonfeed.org/version/7"
    ),
    .init(
      document: json(jsonHead.replacing("\"title\":\"T\",", with: "")),
      finding: "the feed has no title"
    ),
    .init(
      document: json(jsonHead.replacing("https://e.example/f", with: "f")),
      finding: "the feed's feed_url is not an absolute URL: f"
    ),
    .init(
      document: json(jsonHead + ",\"foo\":1"),
      finding: "the feed has foo, which JSON Feed does not define"
    ),
    .init(
      document: json(jsonHead + ",\"expired\":\"no\""),
      finding: "the feed's expired is not true or false"
    ),
    .init(
      document: json(jsonHead + ",\"author\":{\"name\":\"A\"}"),
      finding: "the feed has author; version 1.1 has the list authors"
    ),
    .init(
      document: json(jsonHead + ",\"authors\":[{}]"),
      finding: "an author has neither name, url nor avatar"
    ),
    .init(
      document: json(jsonHead + ",\"hubs\":[{\"type\":\"WebSub\"}]"),
      finding: "a hub of the feed has no type or no url"
    ),
    .init(document: json(jsonHead, items: "7"), finding: "an item is not an object"),
    .init(document: jsonItem("", id: "7"), finding: "the item's id is not a string: 7"),
    .init(document: jsonItem("").replacing("\"id\":\"1\",", with: ""), finding: "the item has no id"),
    .init(
      document: jsonItem("").replacing("\"content_text\":\"x\",", with: ""),
      finding: "the item has no content"
    ),
    .init(
      document: jsonItem("").replacing(",\"date_published\":\"2026-11-20T08:15:00Z\"", with: ""),
      finding: "the item has no date_published"
    ),
    .init(document: jsonItem(",\"url\":\"/1\""), finding: "the item's url is not an absolute URL: /1"),
    .init(document: jsonItem(",\"title\":7"), finding: "the item's title is not a string"),
    .init(document: jsonItem(",\"tags\":\"a\""), finding: "the item's tags is not a list"),
    .init(document: jsonItem(",\"tags\":[7]"), finding: "a tag of the item is not a string"),
    .init(
      document: jsonItem(",\"date_modified\":\"20 Nov 2026\""),
      finding: "the item's date_modified is not an RFC 3339 date such as 2026-11-20T08:15:00Z"
    ),
    .init(
      document: jsonItem(",\"language\":\"english\""),
      finding: "the item's language is not a BCP 47 language tag: english"
    ),
    .init(
      document: jsonItem(",\"attachments\":[{\"url\":\"https://e.example/x\"}]"),
      finding: "the attachment has no mime_type"
    ),
    .init(
      document: jsonItem(
        ",\"attachments\":[{\"url\":\"https://e.example/x\",\"mime_type\":\"a/b\",\"duration_in_seconds\":-5}]"
      ),
      finding: "the attachment's duration_in_seconds is below zero"
    ),
    .init(
      document: jsonItem(",\"content_html\":\"<img src='x.png'>\""),
      finding: "the HTML of content_html contains a relative URL: x.png"
    ),
    .init(
      document: json(
        jsonHead,
        items: ["x", "y"].map {
          "{\"id\":\"1\",\"content_text\":\"\($0)\",\"date_published\":\"2026-11-20T08:15:00Z\"}"
        }.joined(separator: ",")
      ),
      finding: "the item has the id of another item: 1"
    ),
  ]

  @Test(arguments: rss + dates + modules + rdf + atom + json)
  func `One fault gives one finding`(_ fault: Case) throws {
    #expect(try findings(fault.document) == [fault.finding])
  }

  @Test(arguments: [
    rss(""), item(""), item("<dc:date>2026-11-20</dc:date>"),
    item("<dc:date>2026-11-20T08:15+01:00</dc:date>"),
    item("<media:credit role=\"graphic designer\">A</media:credit>"),
    item("<media:credit role=\"owner\" scheme=\"urn:yvs\">A</media:credit>"),
    item("<itunes:duration>1:02:03</itunes:duration><podcast:person>A</podcast:person>"),
    items("<title>t</title><guid isPermaLink=\"false\">x</guid><pubDate>20 Nov 26 08:15 EST</pubDate>"),
    item(
      "<description>a &lt; b &lt;a href=\"#n\"&gt;n&lt;/a&gt;</description><author>a@b.example (A)</author>"
    ),
    rdf("<description>D</description>", rdfLink), entry(""), entry("<content>c</content>", link: ""),
    entry("<content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\">a <b>b</b></div></content>"),
    rss(
      "<cloud domain=\"x\" port=\"80\" path=\"/\" registerProcedure=\"\" protocol=\"http-post\"/>"
        + "<item><title>t</title></item>",
      version: "version=\"0.91\""
    ).replacing(self_, with: ""),
    entry("<author><name>A</name><email>a@localhost</email></author>"),
    entry("<content xml:base=\"https://e.example/\" type=\"html\">&lt;a href=\"x\"&gt;x&lt;/a&gt;</content>"),
    entry("<link rel=\"alternate\" hreflang=\"de\" href=\"https://e.example/de\"/>"),
    json(jsonHead), jsonItem(",\"_x\":{\"y\":1}"),
  ])
  func `A valid document has no findings`(_ document: String) throws {
    #expect(try findings(document) == [])
  }

  @Test(arguments: [
    (rss(""), "text/html; charset=utf-8", "application/rss+xml"),
    (entry(""), "application/rss+xml", "application/atom+xml"),
    (json(jsonHead), "text/plain", "application/feed+json"),
  ])
  func `A Content-Type of another format is found`(_ document: String, _ type: String, _ own: String) throws {
    let name = type.split(separator: ";")[0]
    #expect(
      try findings(document, contentType: type) == [
        "the Content-Type \(name) does not fit the feed; it should be \(own)"
      ]
    )
    #expect(try findings(document, contentType: own + "; charset=utf-8") == [])
  }

  @Test func `The number of findings is limited`() throws {
    let faults = String(repeating: "<foo/>", count: 1000)
    #expect(try findings(Self.rss(faults)).count == 100)
  }

  @Test func `Valid uses of rarer features have no findings`() throws {
    let old = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/">\
      <channel><title>T</title><link>https://e.example/</link><description>D</description></channel>\
      <item><title>t</title><link>https://e.example/1</link></item></rdf:RDF>
      """
    #expect(try findings(old) == [])
    let threading = Self.item("<thr:children/>")
      .replacing("<rss ", with: "<rss xmlns:thr=\"http://purl.org/rss/1.0/modules/threading/\" ")
    #expect(try findings(threading) == [])
    #expect(try findings(Self.item("<author>mailto:user%40example.com%20%28name%29</author>")) == [])
    #expect(try findings(Self.item("<itunes:duration>61:05</itunes:duration>")) == [])
    #expect(
      try findings(Self.entry("<content type=\"image/png\">QUJD\nRA==</content><summary>s</summary>")) == []
    )
  }
}
