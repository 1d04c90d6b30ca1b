import Glibc
import NewsCore
import NewsSyndication

enum Files {
  static func read(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return bytes
  }

  static func milliseconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
  }

  /// Largest memory of the process so far, in MiB.
  static var memory: Int {
    var usage = rusage()
    getrusage(Int32(0), &usage)  // RUSAGE_SELF
    return usage.ru_maxrss / 1024
  }
}

/// Times pages: the best of three runs each.
struct Timing {
  private let extractor: ArticleExtractor

  init(_ extractor: ArticleExtractor) {
    self.extractor = extractor
  }

  func run(_ files: [String]) {
    var times: [Double] = []
    var bytes = 0
    for file in files {
      let document = FeedDocument(bytes: Files.read(file), baseURL: "https://example.org/")
      bytes += document.bytes.count
      times.append(Self.best { _ = try? extractor.article(inPage: document, hints: ArticleHints()) })
    }
    times.sort()
    guard let longest = times.last else { return }
    let total = times.reduce(0, +)
    let mean = total / Double(times.count)
    print(
      "\(times.count) pages, \(bytes / 1_000_000) MB: mean \(Self.rounded(mean)) ms, median "
        + "\(Self.rounded(times[times.count / 2])) ms, longest \(Self.rounded(longest)) ms, "
        + "\(Int(Double(bytes) / total / 1_000)) MB/s, \(Files.memory) MiB"
    )
  }

  static func best(_ body: () -> Void) -> Double {
    var shortest = Double.infinity
    for _ in 0..<3 {
      let start = ContinuousClock.now
      body()
      shortest = min(shortest, Files.milliseconds(ContinuousClock.now - start))
    }
    return shortest
  }

  static func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
}

/// Pages on which a careless extractor is slow.
struct Hostile {
  private let extractor: ArticleExtractor

  init(_ extractor: ArticleExtractor) {
    self.extractor = extractor
  }

  private static let patterns: [(name: String, head: String, unit: String)] = [
    ("nested div", "", "<div>"), ("nested div with text", "", "<div>some words, of a text "),
    ("unclosed font", "", "<font>x"), ("items", "<ul>", "<li>x"), ("cells", "<table>", "<td>x"),
    ("paragraphs", "", "<p>x</p>"),
    ("long paragraphs", "", "<p>Some words, which are many; and so on and on it goes.</p>"),
    ("stray ends", "<div><p>", "</b></i>"),
    ("stray ends in a nest", String(repeating: "<b>", count: 500), "</i>"),
    ("unknown elements", "", "<x-a>"), ("unknown pairs", "", "<x-a>y</x-b>"), ("links", "", "<a href=x>y"),
    ("attributes", "<p ", "a=b "), ("classes", "<p class='", "comment "),
    ("class of one word", "<p class='", "article"),
    ("tables", "", "<table><tr><td>"), ("headings", "<title>Title</title>", "<h1>Title</h1>"),
    ("comments", "", "<!-- -->"), ("references", "<p>", "&amp;"), ("line breaks", "<div>", "x<br><br>"),
    ("metadata", "", "<meta property=og:title content=x>"),
    ("scripts", "", "<script type=application/ld+json>{\"@type\":\"Article\"}</script>"),
    ("brackets", "<script type=application/ld+json>", "["),
    ("noscript", "", "<noscript><img src=x></noscript>"),
    (
      "nested articles", "",
      "<article class=entry-content><p>Some words, which are many; and so on and on it goes, and on.</p>"
    ),
    ("formatting", "<p>", "<b><i>x</i></b> "), ("forms", "", "<form><input>"),
    ("headings at the end", "<p>Text that is long enough to be an article, or so.</p>", "<h2>x</h2>"),
  ]

  func run() {
    for (name, head, unit) in Self.patterns {
      let times = [1 << 20, 5 << 20].map { size in
        var text = head
        text += String(repeating: unit, count: size / unit.utf8.count)
        let document = FeedDocument(bytes: Array(text.utf8), baseURL: "https://example.org/")
        return Timing.best { _ = try? extractor.article(inPage: document, hints: ArticleHints()) }
      }
      print(
        "\(name): 1 MiB \(Timing.rounded(times[0])) ms, 5 MiB \(Timing.rounded(times[1])) ms, ratio "
          + "\(Timing.rounded(times[1] / times[0]))"
      )
    }
    print("\(Files.memory) MiB")
  }
}
