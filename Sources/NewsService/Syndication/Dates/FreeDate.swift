import NewsCore

/// A date in free form: RFC 822 and its variants, asctime, and local forms with month names or separators.
///
/// The scan collects numbers and words; the month name or the separators decide what each number means.
struct FreeDate {
  struct Number {
    var value: Int
    var digits: Int
    /// The bytes before and after the number; 0 at the start and end of the text.
    var before: UInt8
    var after: UInt8
    /// Index of the byte after the number.
    var end: Int
  }

  struct Word {
    var meaning: DateNames.Meaning
    var isFiller: Bool
    /// Number of numbers before the word, without the time of day.
    var numbersBefore: Int
    var isAfterTime: Bool

    var isUnknown: Bool { meaning.isUnknown && !isFiller }
  }

  var numbers: [Number] = []
  var words: [Word] = []
  /// The possible months; bit 0 is January.
  var months: UInt16 = 0
  var year: Int?
  var day: Int?
  var hour: Int?
  var minute = 0
  var second = 0
  /// Number of numbers before the time of day.
  var numbersBeforeTime = 0
  var offset: Int?
  var dayParts: DayPart = []
  /// True if an unknown word beside the time of day may name a part of the day.
  var hasUnknownDayPart = false
  /// True for a Korean date: the year comes first, and a time without a zone is Korean time.
  var isKorean = false
  /// True if the month name is Thai: the year may be of the Buddhist era.
  var isThai = false
  var hasUnknownZone = false
  /// True if the offset came from a name that may be an ordinary word (`at`, `a`, `est`). A later zone then replaces
  /// it.
  var isDoubtfulZone = false
  /// Index of the byte after the time of day.
  var timeEnd = 0
  /// Index of the byte after the last unknown word.
  var unknownEnd: Int?
  var era: Int?
  private var hasNumericOffset = false

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
      } else if byte == UInt8(ascii: "(") {
        index = scanComment(b, from: index)
      } else if isWord(byte) {
        guard let end = scanWord(b, from: index) else { return false }
        index = end
      } else if mayBeginOffset(b, index) {
        if let (value, end) = DateZone.numeric(b, from: index) {
          offset = value
          hasNumericOffset = true
          index = end
        } else if index + 1 < b.count, b[index + 1] == UInt8(ascii: "+") || b[index + 1] == UInt8(ascii: "-")
        {
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

  func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || DateZone.isLetter(byte)
  }

  /// True if day, month and year are known. In a date without a time, the next word is then a zone.
  var hasWholeDate: Bool {
    numbers.count >= 3 || numbers.count == 2 && words.contains { $0.meaning.months != 0 }
      || year != nil && day != nil
  }

  /// True for a sign that may begin a zone offset and does not separate the numbers of a date.
  private func mayBeginOffset(_ b: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    guard !hasNumericOffset, b[index] == UInt8(ascii: "+") || b[index] == UInt8(ascii: "-") else {
      return false
    }
    if hour == nil { return hasWholeDate && DateZone.numeric(b, from: index)?.1 == b.count }
    return index == timeEnd || !DateDigits.isDigit(b, index - 1)
  }

  /// Reads a number, or the time of day that begins with it, and returns the index after it. Returns nil if the text
  /// is not a date.
  private mutating func scanNumber(_ b: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var end = start
    while DateDigits.isDigit(b, end) { end += 1 }
    guard end - start <= 4, let value = DateDigits.number(b, start, end - start) else { return nil }
    // Refuse a negative year: it comes from an uninitialized counter.
    if end - start == 4, start > 0, b[start - 1] == UInt8(ascii: "-"),
      start == 1 || b[start - 2] <= UInt8(ascii: " ")
    {
      return nil
    }
    if hour == nil, end - start <= 2, end < b.count {
      if afterColon(b, end) != nil { return scanTime(b, value, from: start, end) }
      if b[end] == UInt8(ascii: "."), let end = scanDottedTime(b, value, from: start, end) { return end }
      // Read `20h15` as a time.
      if b[end] | 0x20 == UInt8(ascii: "h"), let minutes = DateDigits.number(b, end + 1, 2) {
        begin(hour: value, b, at: start)
        minute = minutes
        timeEnd = end + 3
        return timeEnd
      }
    }
    if end + 2 < b.count, b[end] >= 0xE0 {
      let counter = UInt32(b[end]) << 16 | UInt32(b[end + 1]) << 8 | UInt32(b[end + 2])
      switch count(value, digits: end - start, counter: counter) {
      case .date: return end + 3
      case .hour:
        begin(hour: value, b, at: start)
        timeEnd = end + 3
        return timeEnd
      case .minuteOrSecond:
        timeEnd = end + 3
        return timeEnd
      case .impossible: return nil
      case .noCounter: break
      }
    }
    numbers.append(
      Number(
        value: value,
        digits: end - start,
        before: start > 0 ? b[start - 1] : 0,
        after: end < b.count ? b[end] : 0,
        end: end
      )
    )
    return end
  }

  mutating func begin(hour value: Int, _ b: UnsafeBufferPointer<UInt8>, at start: Int) {
    hour = value
    numbersBeforeTime = numbers.count
    if isDoubtfulZone {
      offset = nil
      isDoubtfulZone = false
    }
    if let unknownEnd, isGap(b, unknownEnd..<start) { hasUnknownDayPart = true }
  }

  /// True when the range contains only spaces and dots.
  func isGap(_ b: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    b[range].allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ".") }
  }

  /// Returns the index of the digit after a colon; nil if there is none. Spaces may surround the colon (`23 : 59`,
  /// RFC 822 section 3.4.2).
  private func afterColon(_ b: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    var index = start
    while index < b.count, b[index] == UInt8(ascii: " ") { index += 1 }
    guard index < b.count, b[index] == UInt8(ascii: ":") else { return nil }
    let maySkip = index > start
    index += 1
    while maySkip, index < b.count, b[index] == UInt8(ascii: " ") { index += 1 }
    return DateDigits.isDigit(b, index) ? index : nil
  }

  private mutating func scanTime(
    _ b: UnsafeBufferPointer<UInt8>,
    _ value: Int,
    from start: Int,
    _ colon: Int
  ) -> Int? {
    begin(hour: value, b, at: start)
    var index = colon
    var fields = 0
    while fields < 2, let next = afterColon(b, index) {
      let digits = DateDigits.isDigit(b, next + 1) ? 2 : 1
      guard let value = DateDigits.number(b, next, digits) else { return nil }
      if fields == 0 { minute = value } else { second = value }
      index = next + digits
      fields += 1
    }
    // Skip milliseconds, which SQL Server separates by a colon: `16:20:00:123`.
    if fields == 2, index < b.count, b[index] == UInt8(ascii: ":"), DateDigits.number(b, index + 1, 3) != nil
    {
      index += 4
    }
    if index < b.count, b[index] == UInt8(ascii: ".") || b[index] == UInt8(ascii: ","),
      DateDigits.isDigit(b, index + 1)
    {
      let (seconds, end) = DateDigits.fraction(b, index + 1, of: 60)
      if fields == 1 { second = seconds }
      index = end
    }
    timeEnd = index
    return index
  }

  /// Reads a time with dots (`10.14`, `10.14.55`, as in Finnish and Italian), but only after a complete date and a
  /// space.
  private mutating func scanDottedTime(
    _ b: UnsafeBufferPointer<UInt8>,
    _ value: Int,
    from start: Int,
    _ dot: Int
  ) -> Int? {
    guard hasWholeDate, start > 0, b[start - 1] <= UInt8(ascii: " "),
      let minutes = DateDigits.number(b, dot + 1, 2)
    else {
      return nil
    }
    var end = dot + 3
    var seconds = 0
    if end < b.count, b[end] == UInt8(ascii: "."), let value = DateDigits.number(b, end + 1, 2) {
      seconds = value
      end += 3
    }
    guard !DateDigits.isDigit(b, end),
      end == b.count || b[end] != UInt8(ascii: ".") || !DateDigits.isDigit(b, end + 1)
    else {
      return nil
    }
    begin(hour: value, b, at: start)
    (minute, second) = (minutes, seconds)
    timeEnd = end
    return end
  }

  private enum Counted {
    case date
    case hour
    case minuteOrSecond
    case impossible
    case noCounter
  }

  /// Interprets a number with an East Asian counter: `2004년 05월 28일`, `2004年5月28日 10時15分`, `平成16年`.
  private mutating func count(_ value: Int, digits: Int, counter: UInt32) -> Counted {
    switch counter {
    case 0xE5B9B4, 0xEB8584:  // 年 년
      // A two-digit year is ambiguous without an era.
      guard digits == 4 || era != nil else { return .impossible }
      year = value + (era ?? 0)
      isKorean = counter == 0xEB8584
    case 0xE69C88, 0xEC9B94:  // 月 월
      guard (1...12).contains(value) else { return .impossible }
      months = 1 << UInt16(value - 1)
    case 0xE697A5, 0xEC9DBC, 0xE58FB7: day = value  // 日 일 号
    case 0xE69982, 0xE697B6, 0xEC8B9C, 0xE782B9, 0xE9BB9E: return .hour  // 時 时 시 点 點
    case 0xE58886, 0xEBB684:  // 分 분
      minute = value
      return .minuteOrSecond
    case 0xE7A792, 0xECB488:  // 秒 초
      second = value
      return .minuteOrSecond
    default: return .noCounter
    }
    return .date
  }
}
