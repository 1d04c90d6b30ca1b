@testable import NewsSearch
import NewsCore
import NewsToolbox

/// The first line is a query, the rest a text: a parsed query can be printed and reads back as the same text, and matching
/// and marking end without a crash.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzQuery(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
  let typed = String(decoding: parts.first ?? [], as: UTF8.self)
  let text = String(decoding: parts.last ?? [], as: UTF8.self)
  guard let query = try? QueryParser.parse(typed, now: Timestamp(seconds: 1_700_000_000)).query else { return 0 }
  let printed = QueryPrinter.text(query)
  // Printing adds quotes and whole dates, so that a query near the limit may become too long.
  if printed.utf8.count <= QueryParser.maximumLength / 2 {
    do {
      let again = try QueryParser.parse(printed, now: Timestamp(seconds: 1_800_000_000)).query
      require(QueryPrinter.text(again) == printed, "\(printed) becomes \(QueryPrinter.text(again))")
    } catch {
      require(false, "its own text is refused: \(printed): \(error)")
    }
  }
  _ = QueryPrinter.explanation(query)
  let subject = MatchSubject(title: typed, author: text, text: text)
  _ = try? QueryMatcher(query).matches(subject)
  let highlighter = MatchHighlighter(query)
  check(highlighter.title(typed))
  check(highlighter.excerpt(text))
  return 0
}

private func check(_ marked: MarkedText?) {
  guard let marked else { return }
  let runs = marked.runs.map(\.text).joined()
  require(runs == marked.plain, "\(runs.debugDescription) is marked in \(marked.plain.debugDescription)")
}
