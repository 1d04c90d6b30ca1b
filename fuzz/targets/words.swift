@testable import NewsSearch
import NewsCore
import NewsToolbox

/// The words of any bytes lie within the text, and a stream of them gives back as many.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWords(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: data, count: size), as: UTF8.self)
  for mode in [WordTokenizer.Mode.document, .query] {
    for token in WordTokenizer.tokens(of: text, mode: mode) {
      require(
        !token.text.isEmpty && token.start < token.end && token.end <= text.utf8.count,
        "\(token) lies outside of \(text.debugDescription)"
      )
    }
  }
  var count = 0
  _ = TokenStream(text).replay { token, _ in
    require(!token.isEmpty, "an empty word of \(text.debugDescription)")
    count += 1
    return true
  }
  let words = WordTokenizer.tokens(of: text, mode: .document).count
  require(count == words, "\(count) of \(words) words of \(text.debugDescription)")
  return 0
}
