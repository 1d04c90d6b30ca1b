public import NewsCore

/// Feeds and items in a dozen languages, on which the queries of `SearchCase` are evaluated. Written for this project.
public struct SearchFixture: Sendable {
  public struct FixtureFeed: Sendable {
    public var url: String
    public var title: String
    public var folder: String?
    public var items: [ParsedItem]
  }

  /// The time at which all items arrive; the reference of relative times in queries.
  public static let now = Timestamp(CivilTime(year: 2026, month: 11, day: 21, hour: 12))

  /// `SearchCase.expected` refers to items by `ParsedItem.id`.
  public static let feeds: [FixtureFeed] = [english, german, european, eastern, asian]
  public static let read: Set<String> = ["en-kernel", "de-muell", "zh-univ"]
  public static let starred: Set<String> = ["en-kernel", "ja-tower"]

  /// The identifiers of all items.
  public static var allIDs: Set<String> { Set(feeds.flatMap { $0.items.compactMap(\.id) }) }

  private static func item(
    _ id: String,
    day: Int,
    _ language: String,
    _ title: String,
    _ text: String,
    author: String? = nil,
    tags: [String] = [],
    enclosure: String? = nil
  ) -> ParsedItem {
    var item = ParsedItem()
    item.id = id
    item.url = "https://news.example.org/\(id)?ref=Feed"
    item.title = title
    item.contentText = text
    item.language = language
    item.published = Timestamp(CivilTime(year: 2026, month: 11, day: day, hour: 8))
    if let author { item.authors = [Author(name: author)] }
    item.tags = tags.map { Category(term: $0) }
    if let enclosure { item.enclosures = [Enclosure(url: enclosure, mimeType: "audio/mpeg")] }
    return item
  }

  private static let english = FixtureFeed(
    url: "https://tech.example.com/feed.xml",
    title: "Tech Weekly",
    folder: "Computing/Software",
    items: [
      item(
        "en-kernel",
        day: 20,
        "en",
        "Linux kernel 6.3.1 released",
        "The maintainers published version 6.3.1 with a fix for the scheduler. It isn't a big release; don't worry.",
        author: "Ann O'Reilly",
        tags: ["Linux", "Release Notes"]
      ),
      item(
        "en-cpp",
        day: 19,
        "en-GB",
        "C++26 and C# compared",
        "Both languages grew. The C++ committee met at AT&T's old building; node.js and .NET people watched. "
          + "Write to editor@mail.example.net or use e-mail #programming.",
        author: "Böb Smith",
        tags: ["programming"]
      ),
      item(
        "en-market",
        day: 18,
        "en",
        "Markets fall 100% of the time 😀",
        "A well-known joke: markets fall, then rise. Shares lost 3.5% on 20.11.2026, the index closed at 1,000 points. "
          + "State-of-the-art models failed.",
        author: "Ann O'Reilly",
        enclosure: "https://cdn.example.com/market.mp3"
      ),
      item(
        "en-cafe",
        day: 2,
        "en",
        "The café opens again",
        "A naïve résumé of last night: the new kernel of popcorn was late, and apple pie with ½ cup of sugar was green."
      ),
    ]
  )

  private static let german = FixtureFeed(
    url: "https://zeitung.example.de/rss",
    title: "Die Müllkippe",
    folder: "Zeitungen",
    items: [
      item(
        "de-muell",
        day: 20,
        "de",
        "Müller verlässt große Straße",
        "Der Bürgermeister Jörg Müller zieht um. Über die Maßnahme wird noch gestritten.",
        author: "Jürgen Groß",
        tags: ["Köln"]
      ),
      item(
        "de-mueller",
        day: 17,
        "de-AT",
        "Mueller schreibt ohne Umlaut",
        "In der Schweiz steht die Strasse mit ss. Der Wetterbericht: 12 % Regen.",
        tags: ["wetter"]
      ),
    ]
  )

  private static let european = FixtureFeed(
    url: "https://europe.example.eu/atom",
    title: "Europe in Words",
    folder: "World",
    items: [
      item(
        "fr-ete",
        day: 15,
        "fr",
        "L’été à la plage",
        "Un cœur d'enfant, une œuvre déjà-vu ; l'État s'en mêle.",
        tags: ["Été"]
      ),
      item(
        "tr-ist",
        day: 14,
        "tr",
        "İstanbul'da ılık bir gün",
        "IŞIK söndü, ışık yandı. Çağrı üzerine geldiler."
      ),
      item("pl-lodz", day: 13, "pl", "Łódź wygrywa", "Zażółć gęślą jaźń w mieście Łodzi."),
      item("el-odos", day: 12, "el", "Ο ΔΡΟΜΟΣ της Αθήνας", "Ένας μεγάλος δρόμος ανοίγει αύριο."),
      item("no-oere", day: 12, "nb", "Ørretfiske i Ålesund", "Smørrebrød og æbler på bryggen."),
    ]
  )

  private static let eastern = FixtureFeed(
    url: "https://east.example.org/rss",
    title: "Восток",
    folder: "World/East",
    items: [
      item(
        "ru-elka",
        day: 11,
        "ru",
        "Ёлка в Москве",
        "На площади поставили ёлку. Йод и мой чай. Большой за\u{301}мок открыт."
      ),
      item("uk-kyiv", day: 11, "uk", "Київ чекає", "У родині п’ять дітей, об'єднання триває."),
      item(
        "ar-school",
        day: 10,
        "ar",
        "مُدِيرُ المدرسةِ الجديدة",
        "أعلن الوزير أنَّ الطلاب ســـيعودون إلى المدرسة يوم ١٥ مارس."
      ),
      item(
        "fa-ketab",
        day: 10,
        "fa",
        "کتاب می\u{200C}خواهم",
        "این کتاب فارسی است و دیگری نمی\u{200C}خواند. نمیدانم."
      ),
      item("he-shalom", day: 9, "he", "שָׁלוֹם לכולם", "צה\"ל הודיע הבוקר על תרגיל בירושלים."),
      item("hi-news", day: 9, "hi", "हिन्दी समाचार", "आज ज़मीन और किताब के बारे में नई ख़बर आई।"),
    ]
  )

  private static let asian = FixtureFeed(
    url: "https://asia.example.net/index.rdf",
    title: "亚洲新闻",
    folder: "World/Asia",
    items: [
      item("zh-univ", day: 8, "zh-Hans", "北京大学发布5G报告", "报告说，2026年中国的网络将更快。研究人员在上海。", tags: ["科技"]),
      item("zh-food", day: 7, "zh-Hans", "上海的美食", "小笼包很好吃，大学生都喜欢北京烤鸭。"),
      item("ja-tower", day: 6, "ja", "東京タワーでイベント", "ｶﾞｲﾄﾞ付きのツアーが始まる。プログラミング言語の話も。", tags: ["観光"]),
      item("ko-seoul", day: 5, "ko", "서울에서 열린 축제", "대한민국 국민이 한강에 모였다. 날씨가 좋다."),
      item("th-bkk", day: 4, "th", "ประเทศไทยเปิดรับนักท่องเที่ยว", "กรุงเทพมหานครเตรียมงานใหญ่ปลายปี น้ำท่วม"),
      item("vi-hanoi", day: 3, "vi", "Hà Nội đón mùa đông", "Thời tiết lạnh ở Đà Nẵng và Huế."),
    ]
  )
}
