import NewsSearch
import NewsCore
import Testing

@Suite struct `Token streams` {
  private struct Word: Hashable {
    var text: String
    var isColocated: Bool
  }

  private func words(of stream: TokenStream) -> [Word] {
    var words: [Word] = []
    stream.replay { token, isColocated in
      words.append(Word(text: String(decoding: token, as: UTF8.self), isColocated: isColocated))
      return true
    }
    return words
  }

  @Test(arguments: [
    (1, ""), (1, " .,;"), (1, "Hello, World"), (1, "Müller Straße GRÖSSE, L’été déjà-vu and C++ 6.3.1"),
    (50, "委员会星期二表示，经过数月的推迟。"), (100, "ﷺ "), (100, "äöü"), (500, "x"), (400, "日本語版"),
  ])
  func `A stream contains the tokens of its text`(_ count: Int, _ piece: String) {
    // The tokens of some pieces are larger than their text: place these pieces at both ends of an ordinary text.
    let pieces = String(repeating: piece, count: count)
    let text = pieces + String(repeating: "plain words ", count: count) + pieces + " ende"
    let tokens = WordTokenizer.tokens(of: text, mode: .document)
    #expect(words(of: TokenStream(text)) == tokens.map { Word(text: $0.text, isColocated: $0.isColocated) })
  }

  @Test func `A stream takes at most a few times the size of its text`() {
    let text = String(repeating: "㌖", count: 10_000)
    #expect(TokenStream(text).bytes.count < 8 * text.utf8.count)
    let tokens = WordTokenizer.tokens(of: text, mode: .document)
    #expect(words(of: TokenStream(text)).map(\.text) == tokens.map(\.text))
  }

  @Test func `A text without words gives an empty stream`() {
    #expect(TokenStream("").bytes.isEmpty)
    #expect(TokenStream(" … ").bytes.isEmpty)
  }

  @Test func `Replaying stops when the consumer returns false`() {
    var count = 0
    let isWhole = TokenStream("one two three").replay { _, _ in
      count += 1
      return count < 2
    }
    #expect(count == 2)
    #expect(!isWhole)
  }

  @Test(
    arguments: [
      [0xFF], [0xFF, 0], [0xFF, 8, 0x61], [0xFF, 0x80], [0xFF, 0x80, 0x80, 0x80], [0xFF, 0xFE, 0x7F, 0x61],
      [0xFF, 1],
    ] as [[UInt8]]
  )
  func `Replaying damaged bytes gives no tokens`(_ bytes: [UInt8]) {
    var count = 0
    _ = bytes.withUnsafeBufferPointer { bytes in
      TokenStream.replay(bytes) { _, _ in
        count += 1
        return true
      }
    }
    #expect(count == 0)
  }
}
