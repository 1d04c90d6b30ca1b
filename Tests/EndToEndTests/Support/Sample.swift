/// Feeds written for these tests.
enum Sample {
  /// RSS 2.0 with an item for each title, a minute apart, newest first.
  static func rss(_ titles: [String], title: String = "Sample", day: Int = 10) -> String {
    var items = ""
    for (index, item) in titles.enumerated() {
      let minute = 59 - index
      items += """
        <item><title>\(item)</title><guid isPermaLink="false">tag:\(item.hashValueStable)</guid>
        <link>https://example.org/\(item.hashValueStable)</link>
        <pubDate>Tue, \(day) Nov 2026 08:\(minute < 10 ? "0" : "")\(minute):00 GMT</pubDate>
        <description>&lt;p&gt;Text of \(item) with &lt;a href="/more"&gt;a link&lt;/a&gt;.&lt;/p&gt;</description></item>

        """
    }
    return """
      <?xml version="1.0" encoding="utf-8"?>
      <rss version="2.0"><channel><title>\(title)</title><link>https://example.org/</link>
      <description>A sample</description>
      \(items)</channel></rss>
      """
  }
}

extension String {
  /// A hash that is the same in every process, unlike `hashValue`.
  fileprivate var hashValueStable: String {
    String(utf8.reduce(5381 as UInt64) { ($0 &* 33) ^ UInt64($1) }, radix: 36)
  }
}
