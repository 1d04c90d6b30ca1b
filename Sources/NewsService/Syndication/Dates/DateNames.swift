import NewsToolbox

/// The words that occur in dates, in the languages of feeds.
enum DateNames {
  /// The meanings of a word, collected from all languages.
  struct Meaning {
    /// The possible months; bit 0 is January. Several bits are set if languages disagree: `listopad` is October in
    /// Croatian, November in Czech.
    var months: UInt16 = 0
    /// The possible weekdays; bit 0 is Sunday.
    var weekdays: UInt8 = 0
    var dayParts: DayPart = []
    /// True if the word may be the first of a name with several words.
    var beginsLongerName = false

    var namesDay: Bool { months != 0 || weekdays != 0 }
    var isUnknown: Bool { !namesDay && dayParts.isEmpty }
  }

  static func englishMonth(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> Int? {
    englishMonths.firstIndex(of: (UInt32(a) << 16 | UInt32(b) << 8 | UInt32(c)) | lowerCase).map { $0 + 1 }
  }

  /// The bits that make three ASCII letters lower case.
  private static let lowerCase: UInt32 = 0x20_2020
  /// The three letters of each month in lower case, as one number.
  private static let englishMonths = EnglishNames.months.map { name in
    name.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } | lowerCase
  }

  /// Normalizes a word for lookup: lower case, without Latin and Greek accents, dots and apostrophes, so that
  /// `Février`, `févr.` and `FEVR` match. `d’abril` becomes `abril`.
  static func folded(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    var result = ""
    func endsWith(_ letters: String) -> Bool {
      result.unicodeScalars.last.map(letters.unicodeScalars.contains) == true
    }
    for scalar in String(decoding: bytes, as: UTF8.self).lowercased().unicodeScalars {
      switch scalar.value {
      // Keep the marks of decomposed й, ў, ї and ё: with the mark, the letter is a different letter of the alphabet.
      case 0x306 where endsWith("иу"), 0x308 where endsWith("іе"): result.unicodeScalars.append(scalar)
      case 0x22, 0x2E, 0xB4, 0x5F3, 0x5F4, 0x200C, 0x200D, 0x300...0x36F: continue
      case 0x27, 0x60, 0x2BC, 0x2019:
        // Drop the elided article of Catalan and Occitan.
        if result == "d" { result = "" }
      default: result.unicodeScalars.append(withoutAccent[scalar.value] ?? scalar)
      }
    }
    return result
  }

  /// Looks up a folded word.
  static func meaning(_ word: String) -> Meaning {
    if let meaning = english[word] ?? meanings[word] { return meaning }
    // Hebrew prefixes the preposition "in" to the month's name, Thai the word for "month".
    for prefix in ["\u{5D1}", "เดือน"] where word.utf8.starts(with: prefix.utf8) {
      return meanings[String(streamSafe: word.utf8.dropFirst(prefix.utf8.count))] ?? Meaning()
    }
    return Meaning()
  }

  /// True for words without a meaning of their own: articles, `at`, `year`, `o'clock`.
  static func isFiller(_ word: String) -> Bool {
    switch word {
    case "st", "nd", "rd", "th", "er", "re", "de", "del", "den", "der", "of", "the", "at", "on", "um", "uhr",
      "a", "le",
      "la", "el", "di", "do", "da", "d", "e", "i", "o", "y", "t", "m", "r", "ta", "na", "ko", "day", "gada",
      "viz", "miz",
      "as", "las", "alle", "ore", "ora", "om", "uur", "kl", "klo", "kell", "klukkan", "klock", "klockan",
      "ob", "u", "v", "oclock", "h", "hod", "hrs", "hours", "hr", "godz", "min", "s", "saat", "jam",
      "pukul", "pk", "luc", "vao", "orakor", "ad", "ce", "and", "в", "во", "у", "о", "об", "ч", "час",
      "часов", "часа", "годин", "сағат", "саат", "στις", "στη", "και", "ωρα", "და", "წლის", "ժամը", "בשעה",
      "ב", "שעה", "ساعت", "الساعة", "عند", "في", "بجے", "को", "बजे", "समय", "ਵਜੇ", "বাজে", "เวลา", "น", "เมื่อ",
      "º", "ª", "г", "года", "р", "року", "ж", "ο", "του", "ი", "พศ", "คศ", "ปี":
      true
    default: false
    }
  }

  /// Returns the part of the day at the end of a word of ideographs, and its length in scalars: `星期三晚上`.
  static func trailingDayPart(_ word: String) -> (meaning: DayPart, length: Int)? {
    let scalars = Array(word.unicodeScalars)
    guard let last = scalars.last, (0x4E00...0x9FFF).contains(last.value), scalars.count > 1 else {
      return nil
    }
    for length in stride(from: min(3, scalars.count - 1), to: 0, by: -1) {
      var name = String.UnicodeScalarView()
      name.append(contentsOf: scalars.suffix(length))
      let parts = meaning(String(name)).dayParts
      if !parts.isEmpty { return (parts, length) }
    }
    return nil
  }

  /// Returns the year before the first year of a Japanese era, or of the Republic of China.
  static func eraStart(_ word: String) -> Int? {
    switch word {
    case "明治": 1867
    case "大正", "民國", "民国", "中華民國": 1911
    case "昭和": 1925
    case "平成": 1988
    case "令和": 2018
    default: nil
    }
  }

  private static let withoutAccent: [UInt32: Unicode.Scalar] = {
    let pairs: [(String, Unicode.Scalar)] = [
      ("áàâäãåāăąǎảạấầẩẫậắằẳẵặ", "a"), ("ḅ", "b"), ("ćĉċčç", "c"), ("ďđḍ", "d"), ("èéêëēĕėęěẹẽẻếềểễệ", "e"),
      ("ĝğġģǧ", "g"), ("ĥḥḫ", "h"), ("ìíîïĩīĭįıǐỉị", "i"), ("ĵ", "j"), ("ķḳ", "k"), ("ĺļľłḷ", "l"),
      ("ṁṃ", "m"),
      ("ñńņňǹṅṇ", "n"), ("òóôõöøōŏőơǒǫọỏốồổỗộớờởỡợ", "o"), ("ŕŗřṛ", "r"), ("śŝşšșṣ", "s"), ("ţťțṭ", "t"),
      ("ùúûüũūŭůűųưǔụủứừửữự", "u"), ("ŵẁẃẅ", "w"), ("ýÿŷỳỵỷỹ", "y"), ("źżžẓ", "z"),
      ("άὰἀἄᾶ", "α"), ("έὲἐἔ", "ε"), ("ήὴἠῆ", "η"), ("ίϊΐὶἰῖἴ", "ι"), ("όὸὀὄ", "ο"), ("ύϋΰὺὐῦ", "υ"),
      ("ώὼὠῶ", "ω"),
      ("ς", "σ"),
    ]
    var table: [UInt32: Unicode.Scalar] = [:]
    for (accented, plain) in pairs {
      for scalar in accented.unicodeScalars { table[scalar.value] = plain }
    }
    return table
  }()

  /// The words of nearly all dates. The large table for all languages is built only when another word occurs.
  private static let english: [String: Meaning] = {
    var table: [String: Meaning] = [:]
    // "mar" and "sat" are words of other languages, too.
    for (index, name) in EnglishNames.months.enumerated() where name != "Mar" {
      table[name.lowercased()] = Meaning(months: 1 << UInt16(index))
    }
    for (index, name) in EnglishNames.weekdays.enumerated() where name != "Sat" {
      table[name.lowercased()] = Meaning(weekdays: 1 << UInt8(index))
    }
    table["am"] = Meaning(dayParts: .morning)
    table["pm"] = Meaning(dayParts: .afternoon)
    return table
  }()

  private static let meanings: [String: Meaning] = {
    var table: [String: Meaning] = [:]
    table.reserveCapacity(4096)
    func add(_ names: String, _ change: (inout Meaning) -> Void) {
      for part in names.utf8.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }) {
        let name = String(streamSafe: part)
        change(&table[name, default: Meaning()])
        for (index, byte) in part.enumerated() where byte == UInt8(ascii: "_") {
          let beginning = String(streamSafe: part.prefix(index))
          table[beginning, default: Meaning()].beginsLongerName = true
        }
      }
    }
    for (index, names) in monthNames.enumerated() { add(names) { $0.months |= 1 << UInt16(index) } }
    for (index, names) in weekdayNames.enumerated() { add(names) { $0.weekdays |= 1 << UInt8(index) } }
    for (part, names) in dayPartNames { add(names) { $0.dayParts.formUnion(part) } }
    return table
  }()
}
