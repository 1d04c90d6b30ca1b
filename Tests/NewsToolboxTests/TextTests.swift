import NewsToolbox
import SeededRandom
import Testing

@Suite struct `Text of messages and columns` {
  @Test func `Padding fills to a width and never truncates`() {
    #expect("ab".padded(to: 4) == "ab  ")
    #expect("abcde".padded(to: 4) == "abcde")
    #expect("7".leftPadded(to: 3) == "  7")
    #expect(7.digits(2) == "07")
    #expect(2026.digits(2) == "2026")
    #expect(UInt64(255).hexDigits(4) == "00ff")
  }

  @Test func `A text is replaced also before a combining mark`() {
    #expect("a {id}\u{301}/{id}".replacing(scalarsOf: "{id}", with: "7") == "a 7\u{301}/7")
    #expect("s3cret\u{20DD}".replacing(scalarsOf: "s3cret", with: "…") == "…\u{20DD}")
  }

  @Test(arguments: ["", "a", "日本", String(repeating: "x", count: 100), String(repeating: "é", count: 77)])
  func `Of a run of combining marks, the first 30 are kept`(_ before: String) {
    for count in [0, 1, 29, 30, 31, 62, 1000] {
      let marks = (0..<count).map { $0.isMultiple(of: 2) ? "\u{301}" : "\u{316}" }
      let after = "z" + String(repeating: "q", count: 70)
      let kept = before + marks.prefix(30).joined() + after
      #expect(
        String(streamSafe: (before + marks.joined() + after).utf8).isEqual(bytesOf: kept),
        "\(count) marks"
      )
    }
    let many = String(repeating: before + "a" + String(repeating: "\u{301}\u{316}", count: 15), count: 9)
    #expect(many.streamSafe.isEqual(bytesOf: many))
  }

  @Test func `The first parts of a text are taken`() {
    #expect(",a,,b,c".split(ascii: ",", atMost: 2) == ["a", "b"])
    #expect("a".split(ascii: ",", atMost: 0) == [])
  }

  @Test func `Texts are divided at bytes, also parts of texts and before combining marks`() {
    let part = "x: é?\u{301}b#?c".dropFirst(3)
    #expect(part.prefix(upToAny: "#?") == "é")
    #expect(part.prefix(upToAny: "!") == part)
    #expect("".prefix(upToAny: "?") == "")
    #expect(part.containsAny("?") && !part.containsAny("x!"))
    #expect(part.split(ascii: "?").map(\.utf8.count) == [2, 4, 1])
    #expect("?a??b".split(ascii: "?", omittingEmptySubsequences: false) == ["", "a", "", "b"])
    #expect("a?b?c".split(ascii: "?", maxSplits: 1) == ["a", "b?c"])
  }

  @Test(arguments: ["", "a", "a\n", "\n\na\nb", "\n"]) func `Lines are those of a split`(_ text: String) {
    let bytes = Array(text.utf8)
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    #expect(Array(ByteLines(bytes[...])) == lines)
  }

  @Test func `Only the number one takes the singular`() {
    #expect(Plural.of(1, "item") == "1 item")
    #expect(Plural.of(0, "item") == "0 items")
    #expect(Plural.of(2, "entry", "entries") == "2 entries")
    #expect(Plural.word(1, "was", "were") == "was")
  }

  @Test(arguments: [("Jan", 1), ("december", 12), ("SEPT", 9), ("Ja", nil), ("Mon", nil)])
  func `Months are recognized by their first three letters`(_ name: String, _ number: Int?) {
    #expect(EnglishNames.month(name) == number)
  }

  @Test func `Classes of bytes contain ASCII only`() {
    for byte in UInt8.min...UInt8.max {
      let scalar = Unicode.Scalar(byte)
      let isLetter = byte < 0x80 && scalar.properties.isAlphabetic
      #expect(ASCII.isLetter(byte) == isLetter)
      #expect(ASCII.isDigit(byte) == ("0"..."9").contains(scalar))
      #expect(ASCII.hexValue(byte) == (byte < 0x80 ? Character(scalar).hexDigitValue.map { UInt8($0) } : nil))
      #expect(ASCII.lowercase(byte) == (ASCII.isUppercase(byte) ? byte + 32 : byte))
    }
  }

  @Test func `Parts of repetitive texts are found, in a time that grows with their length`() {
    // 8 MB of one letter would take an hour if each place were compared with a part of 1 MB.
    let text = String(repeating: "a", count: 8 << 20)
    let part = String(repeating: "a", count: 1 << 20) + "b"
    #expect(!text.contains(bytesOf: part))
    #expect((text + "b").contains(bytesOf: part))
    #expect(("b" + text).contains(bytesOf: part) == false)
    var random = SeededRandom(seed: 7)
    for _ in 0..<500 {
      let text = (0..<200).map { _ in random.next() % 8 == 0 ? "b" : "a" }.joined()
      let part = (0..<12).map { _ in random.next() % 4 == 0 ? "b" : "a" }.joined()
      let places = text.utf8.indices.filter { text.utf8[$0...].starts(with: part.utf8) }
      #expect(text.contains(bytesOf: part) == !places.isEmpty, "\(part) in \(text)")
    }
  }
}
