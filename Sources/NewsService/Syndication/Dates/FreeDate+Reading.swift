import NewsCore

/// Assigns numbers and words to year, month, day and time.
extension FreeDate {
  /// The date as an instant; nil if it is ambiguous or incomplete.
  var timestamp: Timestamp? {
    var date = self
    if date.hour == nil, !date.dayParts.isDisjoint(with: [.midday, .midnight]) { date.hour = 12 }
    guard date.chooseMonth(), date.assignNumbers(), var year = date.year, date.months != 0 else { return nil }
    if isThai, (2400..<2700).contains(year) { year -= 543 }
    guard let month = date.month(year: year) else { return nil }
    var parts = DateParts(
      year: year,
      month: month,
      day: date.day ?? 1,
      hour: date.hour ?? 0,
      minute: minute,
      second: second,
      offset: offset ?? (isKorean ? 9 * 3600 : 0)
    )
    if !dayParts.isEmpty, date.hour != nil {
      guard parts.hour <= 12 || dayParts != .morning else { return nil }
      if parts.hour <= 12 {
        if let hour = dayParts.hour(parts.hour) { parts.hour = hour } else { parts.dropTime() }
      }
    } else if hasUnknownDayPart, (1...12).contains(parts.hour) {
      parts.dropTime()
    }
    return parts.timestamp
  }

  /// Finds the word that names the month, if one is needed. Returns false if an unknown word is where the month should
  /// be: in `mar., 14 foo 2003`, `foo` must be the month, so `mar.` is a Tuesday.
  private mutating func chooseMonth() -> Bool {
    if months != 0 { return true }
    let last = numbers.count
    let inner = words.indices.filter { (1..<max(last, 1)).contains(words[$0].numbersBefore) }
    let named = inner.filter { words[$0].meaning.months != 0 }
    if !named.isEmpty {
      let certain = named.count == 1 ? named : named.filter { words[$0].meaning.weekdays == 0 }
      guard certain.count == 1 else { return false }
      take(certain[0])
      return true
    }
    // `Fri Nov 20 08:15:00 XYZ 2026`: an unknown word after the time is a zone.
    let zonesFollow = numbersBeforeTime > 0
    if inner.contains(where: { words[$0].isUnknown && !(words[$0].isAfterTime && zonesFollow) }) {
      return false
    }
    let leading = words.indices.filter { words[$0].numbersBefore == 0 }
    if let index = leading.last(where: { words[$0].meaning.months != 0 }) {
      guard words[index].meaning.weekdays != 0 else {
        take(index)
        return true
      }
      if leading.contains(where: { $0 > index && words[$0].isUnknown }) { return false }
      // In `mar. 14/01/2003` the numbers include the month, so `mar.` is a weekday.
      if last < 3 { take(index) }
      return true
    }
    let trailing = words.indices.first {
      words[$0].numbersBefore == last && last > 0 && !words[$0].isAfterTime && words[$0].meaning.months != 0
    }
    if let trailing, last < 3 { take(trailing) }
    return true
  }

  private mutating func take(_ index: Int) {
    months = words[index].meaning.months
    words.remove(at: index)
  }

  /// Returns the month. If the name means different months in several languages, returns the month in which the day
  /// has the stated weekday.
  private func month(year: Int) -> Int? {
    let candidates = (1...12).filter { months & 1 << UInt16($0 - 1) != 0 }
    guard candidates.count > 1, let day else { return candidates.first { _ in candidates.count == 1 } }
    let weekdays = words.map(\.meaning.weekdays).filter { $0 != 0 }
    guard let first = weekdays.first else { return nil }
    let stated = weekdays.reduce(first, &)
    let fitting = candidates.filter {
      let civil = CivilTime(year: year, month: $0, day: day)
      return stated & 1 << UInt8(civil.weekday) != 0 && Timestamp(civil).civil().month == $0
    }
    return fitting.count == 1 ? fitting[0] : nil
  }

  /// Assigns the numbers to year, month and day. Returns false if their order is ambiguous.
  private mutating func assignNumbers() -> Bool {
    if year != nil {
      guard day == nil, let number = numbers.first else { return numbers.isEmpty }
      day = number.value
      return numbers.count == 1 && number.digits <= 2
    }
    if months != 0 { return assignAroundMonth() }
    guard numbers.count == 3 else { return false }
    let (a, b, c) = (numbers[0], numbers[1], numbers[2])
    let separator = a.after
    // Dots followed by spaces are separators: `8. 11. 2020`, `2020. 11. 8.`.
    let isSpaced =
      separator == UInt8(ascii: ".") && b.after == UInt8(ascii: ".") && b.before == UInt8(ascii: " ")
      && c.before == UInt8(ascii: " ")
    guard
      isSpaced
        || (separator == b.after || b.after != 0) && separator == b.before
          && (separator == c.before || b.after == c.before)
    else { return false }
    if a.digits == 4 {
      (year, day) = (a.value, c.value)
      guard (1...12).contains(b.value) else { return false }
      months = 1 << UInt16(b.value - 1)
      return true
    }
    let hasFullYear = c.digits == 4
    guard hasFullYear || c.digits == 2 else { return false }
    var orders = isKorean && !hasFullYear ? [(a, b, c)] : [(c, b, a), (c, a, b)]
    if !hasFullYear, a.digits == 2, separator != UInt8(ascii: ".") { orders.append((a, b, c)) }
    let dates = orders.filter { _, month, day in
      (1...12).contains(month.value) && (1...31).contains(day.value)
    }
    .map { (Self.fullYear($0.value, digits: $0.digits), $1.value, $2.value) }
    guard let date = onlyDate(dates, isDayFirst: separator == UInt8(ascii: ".")) else { return false }
    (year, day) = (date.0, date.2)
    months = 1 << UInt16(date.1 - 1)
    return true
  }

  /// Chooses among interpretations (year, month, day) of the same numbers. Returns the first if the day comes first
  /// or all are equal; otherwise the only interpretation with the stated weekday.
  private func onlyDate(_ dates: [(Int, Int, Int)], isDayFirst: Bool) -> (Int, Int, Int)? {
    guard let first = dates.first else { return nil }
    if isDayFirst || dates.allSatisfy({ $0 == first }) { return first }
    guard let stated = words.first(where: { $0.meaning.weekdays != 0 })?.meaning.weekdays else { return nil }
    let fitting = dates.filter {
      stated & 1 << UInt8(CivilTime(year: $0.0, month: $0.1, day: $0.2).weekday) != 0
    }
    return fitting.count == 1 ? fitting[0] : nil
  }

  private mutating func assignAroundMonth() -> Bool {
    switch numbers.count {
    case 1:
      guard numbers[0].digits == 4 else { return false }
      year = numbers[0].value
      return true
    case 2:
      let (a, b) = (numbers[0], numbers[1])
      // The year has three or four digits, or is too large for a day, or comes last.
      let yearIsFirst = a.digits > 2 || (b.digits <= 2 && a.value > 31 && b.value <= 31)
      let (yearNumber, dayNumber) = yearIsFirst ? (a, b) : (b, a)
      guard day == nil, dayNumber.digits <= 2 else { return false }
      year = Self.fullYear(yearNumber.value, digits: yearNumber.digits)
      day = dayNumber.value
      return true
    default:
      return false
    }
  }

  /// Expands years of one to three digits (RFC 5322 section 4.3).
  private static func fullYear(_ value: Int, digits: Int) -> Int {
    switch digits {
    case 1, 2: value < 50 ? value + 2000 : value + 1900
    case 3: value + 1900
    default: value
    }
  }
}
