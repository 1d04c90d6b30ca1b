import NewsCore
import Testing

@testable import Modules
@testable import NewsTerminal
@testable import NewsText

/// Right-to-left text on a terminal that does not reorder it.
@Suite struct `Text direction` {
  /// Returns a line of the grid without direction marks, which are only in the cases to make them readable.
  private func seen(_ text: String, columns: Int = 60, reorders: Bool = true) -> String {
    var grid = ScreenGrid(ScreenSize(rows: 1, columns: columns), reordersText: reorders)
    grid.put(safe: text, 0, 0)
    return grid.lines[0]
  }

  @Test(arguments: [
    ("שלום עולם", "םלוע םולש"),
    ("The word שלום means peace", "The word םולש means peace"),
    ("מחיר: 12,345.67 ש״ח (כולל מע״מ) ב-GitHub!", "!GitHub-ב (מ״עמ ללוכ) ח״ש 12,345.67 :ריחמ"),
    ("a (שלום) b [עולם 3-4] c", "a (םולש) b [3-4 םלוע] c"),
    ("אבג 100% + $5", "$5 + 100% גבא"),
    ("abc אבג 123 דהו xyz", "abc והד 123 גבא xyz"),
    ("plain [text] 1-2", "plain [text] 1-2"),
  ])
  func `Hebrew beside Latin letters, digits and brackets is ordered by the Unicode bidi algorithm`(
    _ read: String,
    _ expected: String
  ) { #expect(seen(read) == expected) }

  @Test(arguments: [
    // Letters in their joined forms, lam and alef as one sign.
    ("العدد ١٢٣ من 2026 (Swift 6.4) الآن", "ﻥﻵﺍ (Swift 6.4) 2026 ﻦﻣ ١٢٣ ﺩﺪﻌﻟﺍ"),
    ("أكبر: linux-7.3 «نواة»", "«ﺓﺍﻮﻧ» linux-7.3 :ﺮﺒﻛﺃ"),
    ("گروه پژوهش", "ﺶﻫﻭﮋﭘ ﻩﻭﺮﮔ"),
  ])
  func `Arabic letters are joined and ordered by the Unicode bidi algorithm`(
    _ read: String,
    _ expected: String
  ) {
    #expect(seen(read) == expected)
  }

  @Test func `Vowel signs stay on their letter`() {
    #expect(seen("אָב") == "באָ")
    #expect(seen("كَتَبَ") == "ﺐَ\u{FE98}َﻛَ")
  }

  @Test func `Text that does not fit is truncated at its end in reading order`() {
    #expect(seen("שלום עולם", columns: 7) == "…ע םולש")
    #expect(seen("abc שלום", columns: 6) == "abc …ש" || seen("abc שלום", columns: 6) == "abc ש…")
  }

  @Test func `An isolate does not reorder its neighbours`() {
    let title = DisplayText(line: "שלום 1").isolated
    #expect(seen("2 \(title) 3") == "2 1 םולש 3")
  }

  @Test func `A terminal that reorders text gets it in reading order`() {
    #expect(seen("שלום (1) עולם", reorders: false) == "שלום (1) עולם")
  }

  @Test func `Right-to-left titles are shown in display order, and paragraphs are aligned to the right`()
    async throws
  {
    let store = FakeStore(
      items: [.sample(1, "גרסה 7.3 של Linux", feedTitle: "חדשות", isRead: false)],
      feeds: [.sample(1, "חדשות", unread: 1)]
    )
    let rig = try ReaderRig(store, columns: 60, rows: 8)
    await rig.start()
    #expect(rig.text.contains("1/1   תושדח"))
    await rig.press("Enter")
    #expect(rig.selected.contains("תושדח Linux לש 7.3 הסרג"))
    await rig.press("Enter")
    // A right-to-left paragraph is aligned to the right.
    #expect(rig.lines[1] == String(repeating: " ", count: 43) + "Linux לש 7.3 הסרג")
  }

  @Test(
    arguments: [
      ([:], .newsd, false), (["VTE_VERSION": "7006"], .newsd, true),
      (["VTE_VERSION": "7006", "TMUX": "x"], .terminal, false),
      (["KONSOLE_VERSION": "230800"], .terminal, false),
      (["TERM_PROGRAM": "Apple_Terminal"], .terminal, false), (["TERM": "xterm"], .newsd, false),
    ] as [([String: String], ReaderOptions.Direction, Bool)]
  )
  func `Terminals that are known to reorder text get it unchanged`(
    _ environment: [String: String],
    _ expected: ReaderOptions.Direction,
    _ tellsTerminal: Bool
  ) {
    let direction = ReaderOptions.Direction.automatic.resolved(environment)
    #expect(direction == expected)
    #expect(direction.mustTellTerminal(environment) == tellsTerminal)
  }

  @Test func `Each scalar of a random text is shown once, whatever the nesting of isolates and brackets`() {
    let parts = [
      "א", "ع", "a", "1", "١", "(", ")", "[", "]", "\u{2068}", "\u{2069}", " ", "%", ",", "\u{5B0}", "-",
      "\u{AD}",
    ]
    var state: UInt64 = 7
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    for _ in 0..<2000 {
      let text = (0..<next(40)).map { _ in parts[next(parts.count)] }.joined()
      let bidi = BidiText(text, .automatic)
      #expect(bidi.levels.count == text.unicodeScalars.count)
      #expect(bidi.order.sorted() == Array(0..<Int32(bidi.levels.count)))
    }
  }
}
