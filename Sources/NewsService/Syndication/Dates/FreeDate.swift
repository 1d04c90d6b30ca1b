import NewsCore

/// Dates in words: RFC 822 with every deviation, asctime, and what the languages of the world make of them.
///
/// The text is cut into numbers and words; the month's name, or the signs between the numbers, tell which is which.
struct FreeDate {
  struct Number {
    var value: Int
    var digits: Int
    /// The byte right before and right after it, 0 at the ends.
    var before: UInt8
    var after: UInt8
  }

  struct Word {
    var meaning: DateNames.Meaning
    var isFiller: Bool
    /// How many numbers stood before it, the time of day not counted.
    var numbersBefore: Int
    var isAfterTime: Bool

    var isUnknown: Bool { meaning.isUnknown && !isFiller }
  }

  var numbers: [Number] = []
  var words: [Word] = []
  /// Bit 0 is January.
  var months: UInt16 = 0
  var year: Int?
  var day: Int?
  var hour: Int?
  var minute = 0
  var second = 0
  /// How many numbers stood before the time of day.
  var numbersBeforeTime = 0
  var offset: Int?
  var afternoon: Bool?
  /// Korean forms come without a zone.
  var isKorean = false
  /// Thai months may come with years of the Buddhist era.
  var isThai = false
  private var hasNumericOffset = false
  private var hasUnknownZone = false
  private var timeEnd = 0
  /// Where an `am` ended that may be the German or Gaelic word.
  private var morningEnd: Int?
  private var era: Int?

  static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    var date = FreeDate()
    guard date.scan(bytes), !date.hasUnknownZone || date.offset != nil else { return nil }
    return date.timestamp
  }

  private mutating func scan(_ b: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < b.count {
      let byte = b[index]
      if DateDigits.isDigit(b, index) {
        guard let end = scanNumber(b, from: index) else { return false }
        index = end
      } else if byte == 0x28 {
        while index < b.count, b[index] != 0x29 { index += 1 }
        index += 1
      } else if isWord(byte) {
        guard let end = scanWord(b, from: index) else { return false }
        index = end
      } else if mayBeginOffset(b, index) {
        if let (value, end) = DateZone.numeric(b, from: index) {
          offset = value
          hasNumericOffset = true
          index = end
        } else if index + 1 < b.count, b[index + 1] == 0x2B || b[index + 1] == 0x2D {
          return false
        } else {
          index += 1
        }
      } else {
        index += 1
      }
      guard numbers.count <= 6, words.count <= 12, words.count(where: \.isUnknown) <= 4 else { return false }
    }
    return true
  }

  private func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || DateZone.isLetter(byte)
  }

  /// A sign after the time of day that is not one between the numbers of a date.
  private func mayBeginOffset(_ b: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    guard !hasNumericOffset, b[index] == 0x2B || b[index] == 0x2D else { return false }
    if hour == nil { return hasWholeDate && DateZone.numeric(b, from: index)?.1 == b.count }
    return index == timeEnd || !DateDigits.isDigit(b, index - 1)
  }

  /// Where the number, or the time of day that begins with it, ends; nil when it is none.
  private mutating func scanNumber(_ b: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var end = start
    while DateDigits.isDigit(b, end) { end += 1 }
    guard end - start <= 4, let value = DateDigits.number(b, start, end - start) else { return nil }
    // A year before 0 is a counter that was never set.
    if end - start == 4, start > 0, b[start - 1] == 0x2D, start == 1 || b[start - 2] <= 0x20 { return nil }
    if hour == nil, end - start <= 2, end < b.count {
      if b[end] == 0x3A, DateDigits.isDigit(b, end + 1) { return scanTime(b, value, from: start, end) }
      if b[end] == 0x2E, let end = scanDottedTime(b, value, from: start, end) { return end }
      // `20h15`
      if b[end] | 0x20 == 0x68, let minutes = DateDigits.number(b, end + 1, 2) {
        begin(hour: value)
        minute = minutes
        timeEnd = end + 3
        return timeEnd
      }
    }
    if end + 2 < b.count, b[end] >= 0xE0 {
      let counter = UInt32(b[end]) << 16 | UInt32(b[end + 1]) << 8 | UInt32(b[end + 2])
      switch count(value, digits: end - start, counter: counter) {
      case .done: return end + 3
      case .impossible: return nil
      case .noCounter: break
      }
    }
    numbers.append(
      Number(
        value: value,
        digits: end - start,
        before: start > 0 ? b[start - 1] : 0,
        after: end < b.count ? b[end] : 0
      )
    )
    return end
  }

  private mutating func begin(hour value: Int) {
    hour = value
    numbersBeforeTime = numbers.count
  }

  private mutating func scanTime(
    _ b: UnsafeBufferPointer<UInt8>,
    _ value: Int,
    from start: Int,
    _ colon: Int
  ) -> Int? {
    begin(hour: value)
    if let morningEnd, b[morningEnd..<start].allSatisfy({ $0 == 0x20 || $0 == 0x2E }) { afternoon = false }
    var index = colon
    var fields = 0
    while fields < 2, index < b.count, b[index] == 0x3A {
      var digits = 0
      while digits < 2, DateDigits.isDigit(b, index + 1 + digits) { digits += 1 }
      guard digits > 0, let value = DateDigits.number(b, index + 1, digits) else { return nil }
      if fields == 0 { minute = value } else { second = value }
      index += 1 + digits
      fields += 1
    }
    // Milliseconds as SQL Server has them: `16:20:00:123`.
    if fields == 2, index < b.count, b[index] == 0x3A, DateDigits.number(b, index + 1, 3) != nil {
      index += 4
    }
    if index < b.count, b[index] == 0x2E || b[index] == 0x2C, DateDigits.isDigit(b, index + 1) {
      let (seconds, end) = DateDigits.fraction(b, index + 1, of: 60)
      if fields == 1 { second = seconds }
      index = end
    }
    timeEnd = index
    return index
  }

  /// `10.14` and `10.14.55`, as Finns and Italians write: only a word of its own behind a whole date.
  private mutating func scanDottedTime(
    _ b: UnsafeBufferPointer<UInt8>,
    _ value: Int,
    from start: Int,
    _ dot: Int
  ) -> Int? {
    guard hasWholeDate, start > 0, b[start - 1] <= 0x20, let minutes = DateDigits.number(b, dot + 1, 2) else {
      return nil
    }
    var end = dot + 3
    var seconds = 0
    if end < b.count, b[end] == 0x2E, let value = DateDigits.number(b, end + 1, 2) {
      seconds = value
      end += 3
    }
    guard !DateDigits.isDigit(b, end), end == b.count || b[end] != 0x2E || !DateDigits.isDigit(b, end + 1)
    else {
      return nil
    }
    begin(hour: value)
    (minute, second) = (minutes, seconds)
    timeEnd = end
    return end
  }

  private enum Counted {
    case done
    case impossible
    case noCounter
  }

  /// Numbers with an East Asian counter: `2004년 05월 28일`, `2004年5月28日 10時15分`, `平成16年`.
  private mutating func count(_ value: Int, digits: Int, counter: UInt32) -> Counted {
    switch counter {
    case 0xE5B9B4, 0xEB8584:  // 年 년
      // Two digits may count from anywhere.
      guard digits == 4 || era != nil else { return .impossible }
      year = value + (era ?? 0)
      isKorean = counter == 0xEB8584
    case 0xE69C88, 0xEC9B94:  // 月 월
      guard (1...12).contains(value) else { return .impossible }
      months = 1 << UInt16(value - 1)
    case 0xE697A5, 0xEC9DBC, 0xE58FB7: day = value  // 日 일 号
    case 0xE69982, 0xE697B6, 0xEC8B9C, 0xE782B9: begin(hour: value)  // 時 时 시 点
    case 0xE58886, 0xEBB684: minute = value  // 分 분
    case 0xE7A792, 0xECB488: second = value  // 秒 초
    default: return .noCounter
    }
    return .done
  }

  /// Where the word, and what belongs to it, ends; nil when no date can come of it.
  private mutating func scanWord(_ b: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let end = wordEnd(b, from: start)
    let length = end - start
    // The T of `2004-07-13T9:15`.
    if length == 1, b[start] | 0x20 == 0x74, DateDigits.isDigit(b, end) { return end }
    let word = DateNames.folded(UnsafeBufferPointer(rebasing: b[start..<end]))
    var meaning = DateNames.meaning(word)
    if meaning.beginsLongerName, let (longer, end) = longerName(b, word, from: end) {
      append(longer, isFiller: false)
      return end
    }
    if let isAfternoon = DateNames.dayHalf(word) {
      if word.unicodeScalars.first.map({ (0xAC00...0xD7A3).contains($0.value) }) == true { isKorean = true }
      if !isAfternoon, hour == nil, word == "am" { morningEnd = end } else { afternoon = isAfternoon }
      return end
    }
    if let end = scanNumberedMonth(b, word, from: end) { return end }
    if hour != nil || hasWholeDate && meaning.isUnknown, offset == nil, length <= 40, b[start] < 0x80,
      meaning.months == 0 || isNumberBeforeTime
    {
      let zone = DateZone.name(b, from: start)
      if let seconds = zone.offset {
        offset = seconds
        return zone.end
      }
      if zone.isPlace { return nil }
      // `Pacific Standard Time`
      if ["standard", "daylight", "summer", "time"].contains(word) { hasUnknownZone = true }
    }
    if let known = DateNames.eraStart(word) {
      era = known
      meaning = DateNames.Meaning()
    } else if word.hasSuffix("元年"), let known = DateNames.eraStart(String(word.dropLast(2))) {
      year = known + 1
    }
    if (0xE00...0xE7F).contains(word.unicodeScalars.first?.value ?? 0), meaning.months != 0 { isThai = true }
    append(meaning, isFiller: DateNames.isFiller(word) || era != nil || year != nil)
    return end
  }

  /// Day, month and year are there: what follows without a time is a zone.
  private var hasWholeDate: Bool {
    numbers.count >= 3 || numbers.count == 2 && words.contains { $0.meaning.months != 0 }
      || year != nil && day != nil
  }

  private var isNumberBeforeTime: Bool { numbersBeforeTime > 0 }

  private mutating func append(_ meaning: DateNames.Meaning, isFiller: Bool) {
    words.append(
      Word(
        meaning: meaning,
        isFiller: isFiller,
        numbersBefore: numbers.count,
        isAfterTime: hour != nil
      )
    )
  }

  /// `a.m.`, `π.μ.`, `d'abril`: letters with dots or apostrophes between are one word.
  private func wordEnd(_ b: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start
    while end < b.count,
      isWord(b[end]) || b[end] == 0x2E || b[end] == 0x27,
      isWord(b[end]) || end + 1 < b.count && isWord(b[end + 1])
    {
      end += 1
    }
    return end
  }

  /// The longest name of several words that begins with `word`: `كانون الثاني`, `tháng mười hai`.
  private func longerName(
    _ b: UnsafeBufferPointer<UInt8>,
    _ word: String,
    from end: Int
  ) -> (DateNames.Meaning, Int)? {
    var name = word
    var end = end
    var found: (DateNames.Meaning, Int)?
    for _ in 0..<3 {
      var next = end
      while next < b.count, b[next] == 0x20 || b[next] == 0x2D { next += 1 }
      guard next > end, next < b.count, isWord(b[next]) else { break }
      end = wordEnd(b, from: next)
      name += "_" + DateNames.folded(UnsafeBufferPointer(rebasing: b[next..<end]))
      let meaning = DateNames.meaning(name)
      if !meaning.isUnknown { found = (meaning, end) }
      guard meaning.beginsLongerName else { break }
    }
    return found
  }

  /// Months that are numbers: Vietnamese `thg 12`, Mongolian `12-р сар`, Lebanese `كانون ٢`.
  private mutating func scanNumberedMonth(
    _ b: UnsafeBufferPointer<UInt8>,
    _ word: String,
    from end: Int
  ) -> Int? {
    if word == "сар" || word == "сарын" {
      guard let number = numbers.last, number.digits <= 2, (1...12).contains(number.value) else { return nil }
      months = 1 << UInt16(number.value - 1)
      numbers.removeLast()
      return end
    }
    guard ["th", "thg", "thang", "تشرين", "كانون"].contains(word) else { return nil }
    var next = end
    while next < b.count, b[next] == 0x20 { next += 1 }
    var digits = 0
    while DateDigits.isDigit(b, next + digits) { digits += 1 }
    guard (1...2).contains(digits), let value = DateDigits.number(b, next, digits), (1...12).contains(value)
    else { return nil }
    switch word {
    case "th" where numbers.isEmpty:
      // The Vietnamese days of the week count from Sunday.
      guard (2...7).contains(value) else { return nil }
      append(DateNames.Meaning(weekdays: 1 << UInt8(value - 1)), isFiller: false)
    case "تشرين":
      guard value <= 2 else { return nil }
      months = 1 << UInt16(8 + value)
    case "كانون":
      guard value <= 2 else { return nil }
      months = value == 1 ? 1 << 11 : 1
    default: months = 1 << UInt16(value - 1)
    }
    return next + digits
  }
}
