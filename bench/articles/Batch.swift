import Glibc
import NewsCore
import NewsSyndication
import NewsToolbox

/// Answers each line of input with the article of one page.
struct Batch {
  private let extractor: ArticleExtractor

  init(_ extractor: ArticleExtractor) {
    self.extractor = extractor
  }

  func run() {
    while let line = readLine() {
      let file = Self.field("file", line) ?? ""
      let bytes = Files.read(file)
      let start = ContinuousClock.now
      let answer = answer(FeedDocument(bytes: bytes, baseURL: Self.field("url", line)))
      print("{\"ms\":\(Files.milliseconds(ContinuousClock.now - start)),\(answer)}")
      fflush(nil)
    }
  }

  private func answer(_ document: FeedDocument) -> String {
    do {
      let article = try extractor.article(inPage: document, hints: ArticleHints())
      return "\"html\":\(quoted(article.html)),\"title\":\(quoted(article.title ?? "")),"
        + "\"byline\":\(quoted(article.byline ?? ""))"
    } catch {
      return "\"text\":\"\""
    }
  }

  private func quoted(_ text: String) -> String {
    var result: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: result += Array("\\u00".utf8) + [Self.digit(byte >> 4), Self.digit(byte & 15)]
      default: result.append(byte)
      }
    }
    return String(decoding: result + [UInt8(ascii: "\"")], as: UTF8.self)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// Returns the value of a member of a flat object. Ignores escapes, which file names and addresses do not
  /// need.
  private static func field(_ name: String, _ line: String) -> String? {
    let parts = line.split(ascii: "\"", omittingEmptySubsequences: false)
    guard let place = parts.firstIndex(of: Substring(name)), place + 2 < parts.count else { return nil }
    return String(parts[place + 2])
  }
}
