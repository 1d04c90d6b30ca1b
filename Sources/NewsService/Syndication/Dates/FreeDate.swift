import NewsService

/// Dates in words: RFC 822 with every deviation, asctime, and what the languages of the world make of them.
///
/// The text is cut into numbers and words; the month's name, or the signs between the numbers, tell which is which.
struct FreeDate {
  private struct Number {
    var value: Int
    var digits: Int
    /// The byte right before and right after it, 0 at the ends.
    var before: UInt8
    var after: UInt8
    /// Words seen before it.
    var wordsBefore: Int
  }

  private var numbers: [Number] = []
  private var month: Int?
  /// How many numbers stood before the month's name.
  private var numbersBeforeMonth = 0
  private var year: Int?
  private var day: Int?
  private var hour: Int?
  private var minute = 0
  private var second = 0
  private var offset: Int?
  /// Korean forms come without a zone.
  private var isKorean = false
  private var afternoon: Bool?
  private var unknownWords = 0

  static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    var date = FreeDate()
    guard date.scan(bytes) else { return nil }
    return date.timestamp
  }

  private mutating func scan(_ b: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < b.count {
      let byte = b[index]
      if byte &- 0x30 < 10 {
        guard let end = scanNumber(b, from: index) else { return false }
        index = end
      } else if byte == 0x28 {
        while index < b.count, b[index] != 0x29 { index += 1 }
        index += 1
      } else if isWord(byte) {
        index = scanWord(b, from: index)
      } else if byte == 0x2B || byte == 0x2D || byte == 0xE2, hour != nil, offset == nil,
        let (value, end) = DateZone.numeric(b, from: index)
      {
        offset = value
        index = end
      } else {
        index += 1
      }
      guard numbers.count <= 6, unknownWords <= 4 else { return false }
    }
    return true
  }

  private func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
  }

  /// Where the number, or the time of day that begins with it, ends; nil when it is none.
  private mutating func scanNumber(_ b: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var end = start
    while end < b.count, b[end] &- 0x30 < 10 { end += 1 }
    guard end - start <= 4, let value = DateDigits.number(b, start, end - start) else {
      // `08:15:00.000` leaves its fraction behind.
      return start > 0 && b[start - 1] == 0x2E && hour != nil ? end : nil
    }
    if hour == nil, end - start <= 2, end + 1 < b.count, b[end] == 0x3A, b[end + 1] &- 0x30 < 10 {
      return scanTime(b, hour: value, from: end)
    }
    // `20h15`
    if hour == nil, end - start <= 2, end + 2 < b.count, b[end] | 0x20 == 0x68, b[end + 1] &- 0x30 < 10,
      let minutes = DateDigits.number(b, end + 1, 2)
    {
      hour = value
      minute = minutes
      return end + 3
    }
    if let end = scanCounted(b, value, from: end) { return end }
    if hour != nil, start > 0, b[start - 1] == 0x2E { return end }
    numbers.append(
      Number(
        value: value,
        digits: end - start,
        before: start > 0 ? b[start - 1] : 0,
        after: end < b.count ? b[end] : 0,
        wordsBefore: unknownWords
      )
    )
    return end
  }

  private mutating func scanTime(_ b: UnsafeBufferPointer<UInt8>, hour value: Int, from colon: Int) -> Int? {
    hour = value
    var index = colon
    for field in 0..<2 {
      guard index < b.count, b[index] == 0x3A else { break }
      var digits = 0
      while digits < 2, index + 1 + digits < b.count, b[index + 1 + digits] &- 0x30 < 10 { digits += 1 }
      guard digits > 0, let value = DateDigits.number(b, index + 1, digits) else { return nil }
      if field == 0 { minute = value } else { second = value }
      index += 1 + digits
    }
    return index
  }

  /// Numbers with an East Asian counter: `2004년 05월 28일`, `2004年5月28日 10時15分`.
  private mutating func scanCounted(
    _ b: UnsafeBufferPointer<UInt8>,
    _ value: Int,
    from end: Int
  ) -> Int? {
    guard end + 2 < b.count, b[end] >= 0xE0 else { return nil }
    let counter = UInt32(b[end]) << 16 | UInt32(b[end + 1]) << 8 | UInt32(b[end + 2])
    switch counter {
    case 0xE5B9B4: year = value  // 年
    case 0xEB8584:  // 년
      year = value
      isKorean = true
    case 0xE69C88, 0xEC9B94: month = value  // 月 월
    case 0xE697A5, 0xEC9DBC, 0xE58FB7: day = value  // 日 일 号
    case 0xE69982, 0xE697B6, 0xEC8B9C, 0xE782B9: hour = value  // 時 时 시 点
    case 0xE58886, 0xEBB684: minute = value  // 分 분
    case 0xE7A792, 0xECB488: second = value  // 秒 초
    default: return nil
    }
    return end + 3
  }

  private mutating func scanWord(_ b: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start
    // `a.m.`, `π.μ.`: letters with dots between are one word.
    while end < b.count,
      isWord(b[end]) || (b[end] == 0x2E && end + 1 < b.count && isWord(b[end + 1]))
    {
      end += 1
    }
    let length = end - start
    // The T of `2004-07-13T9:15`, ordinal endings and single letters that are no zone.
    if length == 1, b[start] | 0x20 == 0x74, end < b.count, b[end] &- 0x30 < 10 { return end }
    let word = DateNames.folded(UnsafeBufferPointer(rebasing: b[start..<end]))
    if let isAfternoon = DateNames.dayHalf(word) {
      afternoon = isAfternoon
      if word.unicodeScalars.first.map({ (0xAC00...0xD7A3).contains($0.value) }) == true { isKorean = true }
      return end
    }
    if let found = DateNames.month(word) {
      // A weekday may look like a month (`mar` is Tuesday in Spanish): the later word is the month.
      if month == nil || numbersBeforeMonth == 0 {
        month = found
        numbersBeforeMonth = numbers.count
      }
      return end
    }
    if hour != nil, offset == nil, length <= 12, b[start] < 0x80 {
      var zoneEnd = end
      while zoneEnd < b.count, isWord(b[zoneEnd]) || b[zoneEnd] == 0x2F || b[zoneEnd] == 0x5F { zoneEnd += 1 }
      if let seconds = DateZone.named(b, start..<zoneEnd) {
        // `GMT+2`: the number that follows is the offset.
        if zoneEnd < b.count, let (value, end) = DateZone.numeric(b, from: zoneEnd) {
          offset = value
          return end
        }
        offset = seconds
        return zoneEnd
      }
    }
    if !DateNames.isFiller(word) { unknownWords += 1 }
    return end
  }

  private var timestamp: Timestamp? {
    var date = self
    guard date.assignNumbers(), let year = date.year, let month = date.month else { return nil }
    var parts = DateParts(
      year: year,
      month: month,
      day: date.day ?? 1,
      hour: date.hour ?? 0,
      minute: minute,
      second: second,
      offset: offset ?? (isKorean ? 9 * 3600 : 0)
    )
    if let afternoon {
      guard parts.hour <= 12 || afternoon else { return nil }
      if afternoon, parts.hour < 12 { parts.hour += 12 }
      if !afternoon, parts.hour == 12 { parts.hour = 0 }
    }
    return parts.timestamp
  }

  /// Finds year, month and day among the numbers; false when that would be a guess.
  private mutating func assignNumbers() -> Bool {
    if year != nil { return numbers.isEmpty || day == nil && numbers.count == 1 }
    if month != nil { return assignAroundMonthName() }
    guard numbers.count == 3 else { return false }
    let (a, b, c) = (numbers[0], numbers[1], numbers[2])
    let separator = a.after
    guard separator == b.after || b.after != 0, separator == b.before,
      separator == c.before || b.after == c.before
    else { return false }
    if a.digits == 4 {
      (year, month, day) = (a.value, b.value, c.value)
      return true
    }
    guard c.digits == 4 || (c.digits == 2 && separator == 0x2E) else { return false }
    year = c.digits == 4 ? c.value : Self.fullYear(c.value, digits: 2)
    if separator == 0x2E || a.value > 12 {  // day.month.year, or it cannot be a month
      (day, month) = (a.value, b.value)
      return true
    }
    if b.value > 12 || a.value == b.value {
      (month, day) = (a.value, b.value)
      return true
    }
    return false
  }

  private mutating func assignAroundMonthName() -> Bool {
    switch numbers.count {
    case 1:
      guard numbers[0].digits == 4 else { return false }
      year = numbers[0].value
      return true
    case 2:
      let (a, b) = (numbers[0], numbers[1])
      // A year has three or four digits, or cannot be a day, or stands last.
      let yearIsFirst = a.digits > 2 || (b.digits <= 2 && a.value > 31 && b.value <= 31)
      let (yearNumber, dayNumber) = yearIsFirst ? (a, b) : (b, a)
      guard dayNumber.digits <= 2 else { return false }
      year = Self.fullYear(yearNumber.value, digits: yearNumber.digits)
      day = dayNumber.value
      return true
    default:
      return false
    }
  }

  /// RFC 5322 section 4.3.
  private static func fullYear(_ value: Int, digits: Int) -> Int {
    switch digits {
    case 1, 2: value < 50 ? value + 2000 : value + 1900
    case 3: value + 1900
    default: value
    }
  }
}
