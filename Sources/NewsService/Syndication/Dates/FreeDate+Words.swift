/// Scans the words of a date.
extension FreeDate {
  /// Reads the word, or the name of several words, at `start` and returns the index after it. Returns nil if the text
  /// is not a date.
  mutating func scanWord(_ b: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let end = wordEnd(b, from: start)
    let length = end - start
    // Skip the T of `2004-07-13T9:15`.
    if length == 1, b[start] | 0x20 == UInt8(ascii: "t"), DateDigits.isDigit(b, end) { return end }
    var word = DateNames.folded(UnsafeBufferPointer(rebasing: b[start..<end]))
    var meaning = DateNames.meaning(word)
    // `i.n.` is an Irish part of the day, but without the dots the word is "in".
    if word == "in", !b[start..<end].contains(UInt8(ascii: ".")) { meaning.dayParts = [] }
    if meaning.beginsLongerName, let (longer, end) = longerName(b, word, from: end) {
      if longer.dayParts.isEmpty || !takeDayPart(longer, b, "", start..<end) {
        append(longer, isFiller: false)
      }
      return end
    }
    if meaning.isUnknown, let part = DateNames.trailingDayPart(word) {
      dayParts = part.meaning
      word.unicodeScalars.removeLast(part.length)
      meaning = DateNames.meaning(word)
    } else if takeDayPart(meaning, b, word, start..<end) {
      return end
    }
    if let end = scanNumberedMonth(b, word, from: end) { return end }
    if length == 1, takeLetter(b, at: start) { return end }
    if hour != nil || hasWholeDate && meaning.isUnknown && word != "at",
      offset == nil || isDoubtfulZone && length > 1,
      length <= 40, b[start] < 0x80, meaning.months == 0 || isNumberBeforeTime
    {
      let zone = zone(b, start..<end, word)
      if let seconds = zone.offset {
        offset = seconds
        isDoubtfulZone = !DateZone.isUpperCase(b, start..<end) || length == 1 || word == "at"
        return zone.end
      }
      if zone.isPlace { return nil }
      // Spelled-out zones (`Pacific Standard Time`) are unknown.
      if ["standard", "daylight", "summer", "time"].contains(word) { hasUnknownZone = true }
    }
    if let known = DateNames.eraStart(word) {
      era = known
      meaning = DateNames.Meaning()
    } else if word.hasSuffix("元年"), let known = DateNames.eraStart(String(word.dropLast(2))) {
      year = known + 1
    }
    if (0xE00...0xE7F).contains(word.unicodeScalars.first?.value ?? 0), meaning.months != 0 { isThai = true }
    let isFiller = DateNames.isFiller(word) || era != nil || year != nil
    append(meaning, isFiller: isFiller)
    if meaning.isUnknown, !DateNames.isFiller(word), DateNames.eraStart(word) == nil {
      unknownEnd = end
      if hour != nil, isGap(b, timeEnd..<start), length < 3 || !DateZone.isUpperCase(b, start..<end) {
        hasUnknownDayPart = true
      }
    }
    return end
  }

  /// Records the part of the day that the word in `range` names. Returns false if the word has another meaning here.
  private mutating func takeDayPart(
    _ meaning: DateNames.Meaning,
    _ b: UnsafeBufferPointer<UInt8>,
    _ word: String,
    _ range: Range<Int>
  ) -> Bool {
    // `de.` and `du.` are Hungarian parts of the day, but without the dot the words are French articles.
    if word == "de" || word == "du" {
      let isAfterTime = hour.map { $0 <= 12 } == true && isGap(b, timeEnd..<range.lowerBound)
      guard range.upperBound < b.count, b[range.upperBound] == UInt8(ascii: "."),
        isAfterTime || isTime(b, range.upperBound)
      else { return false }
      dayParts = word == "de" ? .morning : .afternoon
      return true
    }
    guard !meaning.dayParts.isEmpty else { return false }
    if word == "am" || meaning.namesDay {
      // `am` (German "on": `am 31. Dezember`) and weekday names (`Sa`, Vietnamese for AM) count only beside a time.
      let isAfterTime = hour.map { $0 <= 12 || hasWholeDate } == true && isGap(b, timeEnd..<range.lowerBound)
      guard isAfterTime || isTime(b, range.upperBound) else { return word == "am" }
      guard word == "am" || hour ?? 0 <= 12 else { return false }
    }
    takeHour(b, before: range.lowerBound, meaning.dayParts)
    dayParts = meaning.dayParts
    if word.unicodeScalars.first.map({ (0xAC00...0xD7A3).contains($0.value) }) == true { isKorean = true }
    return true
  }

  /// Returns the zone that the word in `range` names. `E.S.T.` is EST, but the letters of `i.n.` are not military
  /// zones.
  private func zone(
    _ b: UnsafeBufferPointer<UInt8>,
    _ range: Range<Int>,
    _ word: String
  ) -> (offset: Int?, end: Int, isPlace: Bool) {
    guard range.count > 1, b[range].contains(UInt8(ascii: ".")) else {
      return DateZone.name(b, from: range.lowerBound)
    }
    return (DateZone.offset(named: word.utf8), range.upperBound, false)
  }

  /// Reads a single letter beside a 12-hour time: `8:05p`. Of all zones, only `Z` may follow such a time. Returns
  /// false if the letter may be a zone.
  private mutating func takeLetter(_ b: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    guard offset == nil else { return false }
    let letter = b[start] | 0x20
    let part: DayPart? =
      letter == UInt8(ascii: "a") ? .morning : letter == UInt8(ascii: "p") ? .afternoon : nil
    if let part, hour == nil, let number = numbers.last, number.end == start {
      takeHour(b, before: start, part)
    }
    guard let hour, (1...12).contains(hour), isGap(b, timeEnd..<start), letter != UInt8(ascii: "z") else {
      return false
    }
    if let part {
      dayParts = part
    } else if letter == UInt8(ascii: "h") || letter == UInt8(ascii: "u") || isNumber(b, start + 1) {
      // The letter means "hours", or is an article before the day: `8:05 d. 22. juni`.
      append(DateNames.Meaning(), isFiller: true)
    } else {
      append(DateNames.Meaning(), isFiller: true)
      hasUnknownDayPart = true
    }
    return true
  }

  /// True when a number follows, after spaces and dots.
  private func isNumber(_ b: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
    var index = start
    while index < b.count, b[index] == UInt8(ascii: " ") || b[index] == UInt8(ascii: ".") { index += 1 }
    return DateDigits.isDigit(b, index)
  }

  /// Skips the comment at `start` and returns the index after it. Reads a part of the day in a comment right after
  /// the time: `8:05 (evening)`.
  mutating func scanComment(_ b: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let end = b[start...].firstIndex(of: UInt8(ascii: ")")) ?? b.count
    if let hour, hour <= 12, dayParts.isEmpty, isGap(b, timeEnd..<start) {
      let words = b[(start + 1)..<end].split(separator: UInt8(ascii: " "))
      let name = words.map { DateNames.folded(UnsafeBufferPointer(rebasing: $0)) }.joined(separator: "_")
      let meaning = DateNames.meaning(name)
      if !meaning.namesDay { dayParts = meaning.dayParts }
    }
    return min(end + 1, b.count)
  }

  /// Takes the number before a part of the day as the hour: `3 PM`.
  private mutating func takeHour(_ b: UnsafeBufferPointer<UInt8>, before start: Int, _ part: DayPart) {
    guard hour == nil, let number = numbers.last, number.digits <= 2, (1...12).contains(number.value),
      isGap(b, number.end..<start)
    else { return }
    let namesMonth = months != 0 || words.contains { $0.meaning.months != 0 }
    guard numbers.count == 1 || numbers.count >= (namesMonth ? 3 : 4) else { return }
    numbers.removeLast()
    begin(hour: number.value, b, at: number.end - number.digits)
    timeEnd = number.end
  }

  /// True when a time of day with a colon follows `start`.
  private func isTime(_ b: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
    var index = start
    while index < b.count, b[index] == UInt8(ascii: " ") || b[index] == UInt8(ascii: ".") { index += 1 }
    var digits = 0
    while DateDigits.isDigit(b, index + digits) { digits += 1 }
    return (1...2).contains(digits) && index + digits < b.count && b[index + digits] == UInt8(ascii: ":")
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

  /// Returns the index after the word at `start`. Dots and apostrophes between letters are part of the word: `a.m.`,
  /// `π.μ.`, `d'abril`.
  private func wordEnd(_ b: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start
    while end < b.count,
      isWord(b[end]) || b[end] == UInt8(ascii: ".") || b[end] == UInt8(ascii: "'")
        || b[end] == UInt8(ascii: "\"") && end > start && b[end - 1] >= 0x80,
      isWord(b[end]) || end + 1 < b.count && isWord(b[end + 1])
    {
      end += 1
    }
    return end
  }

  /// Finds the longest name of several words that begins with `word`: `كانون الثاني`, `tháng mười hai`.
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
      while next < b.count,
        b[next] == UInt8(ascii: " ") || b[next] == UInt8(ascii: "-")
          || b[next] == UInt8(ascii: ".")
      { next += 1 }
      guard next > end, next < b.count, isWord(b[next]) else { break }
      end = wordEnd(b, from: next)
      name += "_" + DateNames.folded(UnsafeBufferPointer(rebasing: b[next..<end]))
      let meaning = DateNames.meaning(name)
      if !meaning.isUnknown { found = (meaning, end) }
      guard meaning.beginsLongerName else { break }
    }
    return found
  }

  /// Reads month names that contain a number: Vietnamese `thg 12`, Mongolian `12-р сар`, Lebanese `كانون ٢`.
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
    while next < b.count, b[next] == UInt8(ascii: " ") { next += 1 }
    var digits = 0
    while DateDigits.isDigit(b, next + digits) { digits += 1 }
    guard (1...2).contains(digits), let value = DateDigits.number(b, next, digits), (1...12).contains(value)
    else { return nil }
    switch word {
    case "th" where numbers.isEmpty:
      // Vietnamese numbers the weekdays with Sunday as 1: Monday is `th 2`.
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
