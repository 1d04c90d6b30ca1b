import Glibc
import NewsCore

/// Generates realistic news items, reproducible by seed: word frequencies follow Zipf's law, lengths vary widely, and
/// about one item in four is not in Latin script. Bytes per word (6.4) and the share of distinct words in a text of
/// 3,000 bytes (one half) match 1,400 items of real English feeds.
struct Generator {
  enum Scripts { case all, latin, han }

  private var state: UInt64
  private let latin: [String]
  private let german: [String]
  private let russian: [String]
  private let arabic: [String]
  private let han: [String]
  private let japanese: [String]
  /// Average length of a text in bytes.
  let meanLength: Double
  let scripts: Scripts

  init(seed: UInt64, meanLength: Double, scripts: Scripts = .all) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    self.meanLength = meanLength
    self.scripts = scripts
    var vocabulary = Vocabulary(seed: 7)
    latin = vocabulary.words(
      60_000,
      syllables: [
        "ba", "con", "de", "er", "fo", "gra", "hi", "in", "ket", "lo", "ment",
        "na", "or", "per", "qui", "ra", "st", "ti", "un", "ver", "wa", "x", "ing", "ed", "s", "the", "ly",
      ]
    )
    german = vocabulary.words(
      40_000,
      syllables: [
        "ä", "ber", "che", "den", "ein", "fü", "ge", "hör", "ich", "keit",
        "lich", "mö", "nung", "ße", "rück", "sch", "tung", "ung", "ver", "wä", "zu",
      ]
    )
    russian = vocabulary.words(
      40_000,
      syllables: [
        "ба", "во", "гра", "де", "ей", "жи", "за", "ка", "ло", "мен", "но",
        "об", "пре", "ра", "ст", "то", "ция", "ый", "щи", "ю",
      ]
    )
    arabic = vocabulary.words(
      30_000,
      syllables: [
        "ال", "با", "تر", "جم", "حو", "خد", "دي", "رس", "سي", "عل", "في",
        "قا", "كت", "لم", "من", "نو", "هي", "وا", "ية",
      ]
    )
    han = vocabulary.hanWords(40_000, characters: 3500)
    japanese = (0..<80).map { String(Unicode.Scalar(0x3042 + UInt32($0)) ?? "あ") } + han.prefix(1500)
  }

  /// Returns the word with a frequency rank; the word of rank 30 is in a large part of the items.
  func word(rank: Int) -> String { latin[rank] }
  static let rareWord = "zyxquort"
  static let hanPair = "\u{4E14}\u{4E23}"
  /// Frequency rank of `hanPair` among the Chinese words.
  fileprivate static let hanPairRank = 900

  private mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  private mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

  /// Returns a random rank, distributed like the words of news: the hundred most frequent words make up half of a text.
  private mutating func rank(_ count: Int) -> Int {
    min(Int(pow(Double(count), pow(fraction(), 1.05))) - 1, count - 1)
  }

  private mutating func text(_ bytes: Int, _ words: [String], spaced: Bool) -> String {
    var result = ""
    result.reserveCapacity(bytes + 32)
    var sinceStop = 0
    var used: [Int] = []
    while result.utf8.count < bytes {
      // Texts repeat the words of their subject: one word in seven is a repetition.
      let isRepeat = !used.isEmpty && next() % 7 == 0
      let word = isRepeat ? used[Int(next() % UInt64(used.count))] : rank(words.count)
      used.append(word)
      result += words[word]
      sinceStop += 1
      if sinceStop > 8 + Int(next() % 14) {
        result += spaced ? ". " : "。"
        sinceStop = 0
      } else if spaced {
        result += " "
      }
    }
    return result
  }

  /// Generates the item with this number.
  mutating func item(_ number: Int, published: Int64) -> ParsedItem {
    let kind =
      switch scripts {
      case .all: Int(next() % 20)
      case .latin: 0
      case .han: 17
      }
    let (words, spaced, language): ([String], Bool, String) =
      switch kind {
      case 0..<12: (latin, true, "en")
      case 12..<15: (german, true, "de")
      case 15: (russian, true, "ru")
      case 16: (arabic, true, "ar")
      case 17, 18: (han, false, "zh")
      default: (japanese, false, "ja")
      }
    // Log-normal lengths: many short texts, a few very long ones.
    let normal = sqrt(-2 * log(max(fraction(), 1e-12))) * cos(2 * Double.pi * fraction())
    let length = scripts == .latin ? meanLength * (0.5 + fraction()) : meanLength * exp(0.9 * normal - 0.4)
    var item = ParsedItem()
    item.id = "https://site\(number % 997).example/posts/\(number)"
    item.url = item.id
    item.title = text(spaced ? 55 : 60, words, spaced: spaced)
    var body = text(max(Int(length), 40), words, spaced: spaced)
    if number % 50_021 == 77 { body += " " + Self.rareWord }
    item.contentText = body
    item.published = Timestamp(seconds: published)
    item.language = language
    item.authors = [Author(name: words[rank(300)] + " " + words[rank(300)])]
    if number % 3 == 0 { item.tags = [Category(term: latin[rank(400)])] }
    return item
  }
}

/// Generates words from syllables.
private struct Vocabulary {
  var state: UInt64

  init(seed: UInt64) { state = seed &* 0x2545_F491_4F6C_DD1D | 1 }

  private mutating func fraction() -> Double {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Double(state >> 11) / Double(1 << 53)
  }

  /// Generates words of one to four characters, mostly two, as in Chinese: character pairs recur because words recur.
  mutating func hanWords(_ count: Int, characters: Int) -> [String] {
    var seen: Set<String> = [Generator.hanPair]
    var words: [String] = []
    while words.count < count {
      if words.count == Generator.hanPairRank { words.append(Generator.hanPair) }
      let choice = fraction()
      let isShort = choice < (words.count < 120 ? 0.7 : 0.05)
      let length = isShort ? 1 : choice < 0.78 ? 2 : choice < 0.92 ? 3 : 4
      var word = ""
      for _ in 0..<length {
        let rank = min(Int(pow(Double(characters), fraction())) - 1, characters - 1)
        word += String(Unicode.Scalar(0x4E00 + UInt32(rank) * 5) ?? "中")
      }
      if seen.insert(word).inserted { words.append(word) }
    }
    return words
  }

  mutating func words(_ count: Int, syllables: [String]) -> [String] {
    var seen: Set<String> = []
    var words: [String] = []
    while words.count < count {
      // Frequent words are shorter.
      let length =
        words.count < 200 ? 1 + words.count / 40 % 2 : words.count < 250 ? 2 : words.count < 5_000 ? 3 : 4
      var word = ""
      for _ in 0..<length {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        word += syllables[Int(state % UInt64(syllables.count))]
      }
      if seen.insert(word).inserted || words.count < 200 { words.append(word) }
    }
    return words
  }
}
