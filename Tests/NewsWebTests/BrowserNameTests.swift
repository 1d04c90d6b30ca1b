import Testing

@testable import NewsWeb

@Suite struct `Web page: names of browsers` {
  @Test(arguments: [
    ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
    (
      "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
      "Chrome on Android"
    ),
    (
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0",
      "Edge on Windows"
    ),
    (
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36",
      "Chrome on Linux"
    ),
    (
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
      "Safari on macOS"
    ),
    (
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148",
      "Firefox on iPhone"
    ),
    ("Firefox/\u{301}1 (Linux\u{301})", "Firefox on Linux"),
    ("curl/8.5.0", "curl/8.5.0"), ("Firefox/1", "Firefox/1"), ("", "unknown"), (" ", "unknown"),
  ])
  func `A browser is named with its system, and an unknown one by its User-Agent`(agent: String, name: String)
  {
    #expect(BrowserName.of(agent) == name)
  }

  @Test func `Of a long unknown User-Agent, the first 60 Unicode scalars are shown`() {
    #expect(BrowserName.of(String(repeating: "e\u{301}", count: 31)).unicodeScalars.count == 61)
    #expect(BrowserName.of(String(repeating: "e\u{301}", count: 30)).unicodeScalars.count == 60)
  }
}
