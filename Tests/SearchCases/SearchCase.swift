/// A query and the items of `SearchFixture` that it selects.
public struct SearchCase: Sendable, CustomStringConvertible {
  public var query: String
  /// Identifiers of the selected items.
  public var expected: Set<String>

  init(_ query: String, _ expected: String...) {
    self.query = query
    self.expected = Set(expected)
  }

  /// A query that selects every item.
  static func everything(_ query: String) -> SearchCase {
    var all = SearchCase(query)
    all.expected = SearchFixture.allIDs
    return all
  }

  public var description: String { query.isEmpty ? "(nothing)" : query }
}

extension SearchCase {
  /// The expected results of search, for every implementation: the matcher, SQLite, another store.
  public static let all: [SearchCase] = words + scripts + asTyped + structure + fields

  private static let words: [SearchCase] = [
    .everything(""),
    SearchCase("kernel", "en-kernel", "en-cafe"),
    SearchCase("KERNEL linux", "en-kernel"),
    SearchCase("kern"),
    SearchCase("kern*", "en-kernel", "en-cafe"),
    SearchCase("\"kernel of popcorn\"", "en-cafe"),
    SearchCase("\"popcorn kernel\""),
    SearchCase("\"apple pi\"*", "en-cafe"),
    SearchCase("cafe naive resume", "en-cafe"),
    SearchCase("CAFÉ", "en-cafe"),
    SearchCase("cafe\u{301}", "en-cafe"),
  ]

  private static let scripts: [SearchCase] = [
    // German: ä matches a and ae, ß matches ss
    SearchCase("Müller", "de-muell", "de-mueller"),
    SearchCase("Mueller", "de-muell", "de-mueller"),
    SearchCase("Muller", "de-muell"),
    SearchCase("mu\u{308}ller", "de-muell", "de-mueller"),
    SearchCase("strasse", "de-muell", "de-mueller"),
    SearchCase("STRASSE grosse", "de-muell"),
    SearchCase("Straße massnahme ueber", "de-muell"),
    SearchCase("\"jörg müller zieht\"", "de-muell"),
    SearchCase("\"joerg mueller zieht\"", "de-muell"),
    SearchCase("müll*", "de-muell", "de-mueller"),
    // French, Turkish, Polish, Greek, Norwegian, Vietnamese
    SearchCase("ete", "fr-ete"),
    SearchCase("l'été", "fr-ete"),
    SearchCase("oeuvre coeur etat", "fr-ete"),
    SearchCase("istanbul ilik", "tr-ist"),
    SearchCase("İSTANBUL IŞIK çagri", "tr-ist"),
    SearchCase("lodz zazolc", "pl-lodz"),
    SearchCase("δρομοσ αθηνας", "el-odos"),
    SearchCase("oerretfiske alesund smorrebrod", "no-oere"),
    SearchCase("aalesund aebler", "no-oere"),
    SearchCase("ha noi da nang", "vi-hanoi"),
    SearchCase("Đà Nẵng", "vi-hanoi"),
    // Cyrillic: ё matches е, й does not match и
    SearchCase("елка замок", "ru-elka"),
    SearchCase("ЁЛКУ", "ru-elka"),
    SearchCase("мой", "ru-elka"),
    SearchCase("мои"),
    SearchCase("п'ять об’єднання", "uk-kyiv"),
    // Arabic, Persian, Hebrew, Hindi
    SearchCase("مدير المدرسه", "ar-school"),
    SearchCase("اعلن الي سيعودون", "ar-school"),
    SearchCase("15", "ar-school"),
    SearchCase("كتاب", "fa-ketab"),
    SearchCase("\"می خواهم\"", "fa-ketab"),
    SearchCase("می\u{200C}خواهم", "fa-ketab"),
    SearchCase("میخواهم", "fa-ketab"),
    SearchCase("نمیخوا*", "fa-ketab"),
    SearchCase("نمی\u{200C}دانم", "fa-ketab"),
    SearchCase("فارسي", "fa-ketab"),
    SearchCase("שלום", "he-shalom"),
    SearchCase("צה\"ל", "he-shalom"),
    SearchCase("צהל", "he-shalom"),
    SearchCase("हिन्दी जमीन", "hi-news"),
    SearchCase("ख़बर", "hi-news"),
    // Chinese, Japanese, Korean, Thai
    SearchCase("北京", "zh-univ", "zh-food"),
    SearchCase("大学", "zh-univ", "zh-food"),
    SearchCase("北京大学", "zh-univ"),
    SearchCase("北京大學", "zh-univ"),
    SearchCase("研究人員", "zh-univ"),
    SearchCase("\"大学 发布\""),
    SearchCase("海", "zh-univ", "zh-food"),
    SearchCase("鸭", "zh-food"),
    SearchCase("烤", "zh-food"),
    SearchCase("5G报告", "zh-univ"),
    SearchCase("2026年", "zh-univ"),
    SearchCase("京北"),
    SearchCase("タワー", "ja-tower"),
    SearchCase("ﾀﾜｰ", "ja-tower"),
    SearchCase("ガイド", "ja-tower"),
    SearchCase("プロ", "ja-tower"),
    SearchCase("フロ"),
    SearchCase("ツアー 東京", "ja-tower"),
    SearchCase("국민", "ko-seoul"),
    SearchCase("대한민국", "ko-seoul"),
    SearchCase("한국"),
    SearchCase("강", "ko-seoul"),
    SearchCase("ไทย", "th-bkk"),
    SearchCase("กรุงเทพ", "th-bkk"),
    SearchCase("น\u{E4D}\u{E49}\u{E32}", "th-bkk"),
    SearchCase("น\u{E49}\u{E4D}\u{E32}ท่วม", "th-bkk"),
  ]

  private static let asTyped: [SearchCase] = [
    SearchCase("6.3.1", "en-kernel"),
    SearchCase("6.3", "en-kernel"),
    SearchCase("v6.3.1", "en-kernel"),
    SearchCase("3.1"),
    SearchCase("\"version 6.3.1 with\"", "en-kernel"),
    SearchCase("C++", "en-cpp"),
    SearchCase("c#", "en-cpp"),
    SearchCase("F#"),
    SearchCase("\"the C++ committee\"", "en-cpp"),
    SearchCase("AT&T", "en-cpp"),
    SearchCase("node.js", "en-cpp"),
    SearchCase(".NET", "en-cpp"),
    SearchCase("#programming", "en-cpp"),
    SearchCase("editor@mail.example.net", "en-cpp"),
    SearchCase("mail.example.net", "en-cpp"),
    SearchCase("e-mail", "en-cpp"),
    SearchCase("email", "en-cpp"),
    SearchCase("100%", "en-market"),
    SearchCase("12%", "de-mueller"),
    SearchCase("3.5%", "en-market"),
    SearchCase("20.11.2026", "en-market"),
    SearchCase("1,000", "en-market"),
    SearchCase("½ cup", "en-cafe"),
    SearchCase("1/2", "en-cafe"),
    SearchCase("ki\u{AD}lo\u{AD}bytes OR mark\u{AD}ets", "en-market"),
    SearchCase("well-known", "en-market"),
    SearchCase("state-of-the-art", "en-market"),
    SearchCase("don't", "en-kernel"),
    SearchCase("dont isnt", "en-kernel"),
    SearchCase("😀", "en-market"),
    SearchCase("😀 markets", "en-market"),
    SearchCase("&"),
    SearchCase("kernel & popcorn", "en-cafe"),
    SearchCase("\"kernel popcorn", "en-cafe"),
    SearchCase("popcorn -", "en-cafe"),
    SearchCase("(popcorn", "en-cafe"),
  ]

  private static let structure: [SearchCase] = [
    SearchCase("kernel -popcorn", "en-kernel"),
    SearchCase("-lang:en -lang:de -lang:zh -folder:World"),
    SearchCase("popcorn OR scheduler", "en-kernel", "en-cafe"),
    SearchCase("(popcorn OR scheduler) linux", "en-kernel"),
    SearchCase("kernel -(popcorn OR scheduler)"),
    SearchCase("北京 -烤鸭", "zh-univ"),
    SearchCase("Müller OR 北京", "de-muell", "de-mueller", "zh-univ", "zh-food"),
    SearchCase("popcorn OR is:starred", "en-cafe", "en-kernel", "ja-tower"),
    SearchCase("-kernel feed:tech", "en-cpp", "en-market"),
    SearchCase("NOT kernel AND feed:tech", "en-cpp", "en-market"),
    SearchCase("OR popcorn"),
    SearchCase("/6\\.\\d+\\.1/", "en-kernel"),
    SearchCase("/\\bkern(el)?\\b/ -linux", "en-cafe"),
    SearchCase("/北京.*报告/", "zh-univ"),
    SearchCase("/ЁЛК[АУ]/", "ru-elka"),
  ]

  private static let fields: [SearchCase] = [
    SearchCase("title:kernel", "en-kernel"),
    SearchCase("title:müller", "de-muell", "de-mueller"),
    SearchCase("title:(kernel OR café)", "en-kernel", "en-cafe"),
    SearchCase("title:\"the café\"", "en-cafe"),
    SearchCase("author:ann", "en-kernel", "en-market"),
    SearchCase("author:\"ann oreilly\"", "en-kernel", "en-market"),
    SearchCase("author:oreilly", "en-kernel", "en-market"),
    SearchCase("author:böb", "en-cpp"),
    SearchCase("jürgen", "de-muell"),
    SearchCase("feed:müllkippe", "de-muell", "de-mueller"),
    SearchCase("feed:tech.example.com kernel", "en-kernel", "en-cafe"),
    SearchCase("feed:https://tech.example.com/feed.xml kernel", "en-kernel", "en-cafe"),
    SearchCase("feed:https://tech.example.com/feed kernel"),
    SearchCase("folder:computing", "en-kernel", "en-cpp", "en-market", "en-cafe"),
    SearchCase("folder:world/asia 大学", "zh-univ", "zh-food"),
    SearchCase("folder:wor"),
    SearchCase("tag:linux", "en-kernel"),
    SearchCase("tag:\"release notes\"", "en-kernel"),
    SearchCase("tag:科技", "zh-univ"),
    SearchCase("tag:été", "fr-ete"),
    SearchCase("tag:lin"),
    SearchCase("url:en-cafe", "en-cafe"),
    SearchCase("url:\"NEWS.example.org/de-\"", "de-muell", "de-mueller"),
    SearchCase("url:%"),
    SearchCase("lang:de", "de-muell", "de-mueller"),
    SearchCase("lang:de-AT", "de-mueller"),
    SearchCase("lang:d"),
    SearchCase("lang:ZH", "zh-univ", "zh-food"),
    SearchCase("is:read", "en-kernel", "de-muell", "zh-univ"),
    SearchCase("is:unread feed:zeitung", "de-mueller"),
    SearchCase("is:starred", "en-kernel", "ja-tower"),
    SearchCase("is:unstarred is:read", "de-muell", "zh-univ"),
    SearchCase("has:enclosure", "en-market"),
    SearchCase("since:3d", "en-kernel", "en-cpp", "de-muell"),
    SearchCase("since:2026-11-19 until:2026-11-20", "en-cpp"),
    SearchCase("until:2026-11-03", "en-cafe"),
    SearchCase("kernel sort:oldest", "en-kernel", "en-cafe"),
  ]
}
