import NewsToolbox

/// The zone at the end of a date: an offset, a name, or both.
enum DateZone {
  /// Parses the text from `start` as a zone and returns seconds east of UTC: 0 if no text is left, nil for text that
  /// is not a zone.
  static func parse(_ b: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    func skipSpaces() {
      while index < b.count, b[index] == UInt8(ascii: " ") || b[index] == UInt8(ascii: "\t") { index += 1 }
    }
    var offset = 0
    var hasName = false
    var hasOffset = false
    skipSpaces()
    while index < b.count {
      let byte = b[index]
      if byte == UInt8(ascii: "(") {  // a comment, such as `(CEST)`
        while index < b.count, b[index] != UInt8(ascii: ")") { index += 1 }
        index = min(index + 1, b.count)
      } else if hasOffset, let (value, end) = numeric(b, from: index), value == offset {
        // Skip the name: Go prints zones without a name as their offset, `+0300 +03`.
        index = end
      } else if b[index] == UInt8(ascii: "m"), let end = monotonicClock(b, from: index) {
        index = end
      } else if let (value, end) = numeric(b, from: index), !hasOffset {
        // In `GMT+2` only the offset counts.
        offset = value
        hasOffset = true
        index = end
      } else if isLetter(byte), !hasName || hasOffset {
        let zone = name(b, from: index)
        // Refuse a place (`Europe/Berlin`), which would need a time-zone database.
        if zone.offset == nil, zone.isPlace { return nil }
        if !hasOffset { offset = zone.offset ?? 0 }
        hasName = true
        index = zone.end
      } else {
        return nil
      }
      skipSpaces()
    }
    return offset
  }

  /// Skips the monotonic clock reading that Go prints (`m=+0.000000001`), and returns the index after it.
  private static func monotonicClock(_ b: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard start + 3 < b.count, b[start + 1] == UInt8(ascii: "="),
      b[start + 2] == UInt8(ascii: "+") || b[start + 2] == UInt8(ascii: "-")
    else { return nil }
    var end = start + 3
    while DateDigits.isDigit(b, end) || end < b.count && b[end] == UInt8(ascii: ".") { end += 1 }
    return end
  }

  /// Reads an offset (`+0100`, `-05:00`, `+1`, `−0500` with U+2212). Returns its seconds and the index after it.
  static func numeric(_ b: UnsafeBufferPointer<UInt8>, from start: Int) -> (Int, Int)? {
    var index = start
    let isNegative: Bool
    if b[index] == UInt8(ascii: "+") {
      isNegative = false
      index += 1
    } else if b[index] == UInt8(ascii: "-") {
      isNegative = true
      index += 1
    } else if b[index] == 0xE2, index + 2 < b.count, b[index + 1] == 0x88, b[index + 2] == 0x92 {
      isNegative = true
      index += 3
    } else {
      return nil
    }
    var digits = 0
    while index + digits < b.count, ASCII.isDigit(b[index + digits]) { digits += 1 }
    var hours = 0
    var minutes = 0
    switch digits {
    case 1, 2:
      hours = DateDigits.number(b, index, digits) ?? 0
      index += digits
      if index < b.count, b[index] == UInt8(ascii: ":"), let value = DateDigits.number(b, index + 1, 2) {
        minutes = value
        index += 3
      }
    case 3, 4:
      hours = DateDigits.number(b, index, digits - 2) ?? 0
      minutes = DateDigits.number(b, index + digits - 2, 2) ?? 0
      index += digits
    default: return nil
    }
    guard hours < 24, minutes < 60 else { return nil }
    let seconds = (hours * 60 + minutes) * 60
    return (isNegative ? -seconds : seconds, index)
  }

  @inline(__always)
  static func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
  }

  static func isUpperCase(_ b: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    b[range].allSatisfy { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }
  }

  /// Reads the zone name that begins at `start`. The offset is nil for an unknown name; RFC 5322 section 4.3 treats
  /// such a name as UTC, unless it is a place (`America/New_York`).
  static func name(
    _ b: UnsafeBufferPointer<UInt8>,
    from start: Int
  ) -> (offset: Int?, end: Int, isPlace: Bool) {
    var end = start
    var slash: Int?
    while end < b.count {
      if b[end] == UInt8(ascii: "/"), slash == nil { slash = end }
      guard isLetter(b[end]) || b[end] == UInt8(ascii: "/") || b[end] == UInt8(ascii: "_") else { break }
      end += 1
    }
    // Words of other alphabets may begin with ASCII letters but name no zone: `tối`, `estö`.
    if end < b.count, b[end] >= 0x80 { return (nil, end, false) }
    guard let slash else { return (named(b, start..<end), end, false) }
    guard slash - start == 3, ByteText.equals(UnsafeBufferPointer(rebasing: b[start..<slash]), "etc") else {
      return (nil, end, true)
    }
    // `Etc/GMT+5` is west of Greenwich: the sign is reversed.
    if end < b.count, let (value, end) = numeric(b, from: end) { return (-value, end, true) }
    return (named(b, slash + 1..<end), end, true)
  }

  private static func named(_ b: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
    // Military letters: RFC 822 gave them reversed signs, so RFC 5322 section 4.3 treats them all as UTC.
    if range.count == 1 { return 0 }
    return offset(named: b[range])
  }

  /// Returns the offset of a zone by its name, which has two to five ASCII letters.
  static func offset(named name: some Collection<UInt8>) -> Int? {
    guard (2...5).contains(name.count) else { return nil }
    return zones[name.reduce(0) { $0 << 8 | UInt64($1 | 0x20) }].map { $0 * 60 }
  }

  /// Minutes east of UTC by name. An ambiguous name has the meaning that is most frequent in feeds.
  private static let zones: [UInt64: Int] = {
    let table: [(String, Int)] = [
      ("ut", 0), ("gmt", 0), ("utc", 0), ("wet", 0), ("west", 60), ("bst", 60), ("cet", 60), ("mez", 60),
      ("met", 60), ("cest", 120), ("mesz", 120), ("mest", 120), ("eet", 120), ("sast", 120), ("cat", 120),
      ("eest", 180), ("msk", 180), ("eat", 180), ("trt", 180), ("msd", 240), ("gst", 240), ("irst", 210),
      ("pkt", 300), ("ist", 330), ("npt", 345), ("bdt", 360), ("ict", 420), ("wib", 420), ("hkt", 480),
      ("sgt", 480), ("myt", 480), ("awst", 480), ("pht", 480), ("jst", 540), ("kst", 540), ("acst", 570),
      ("aest", 600), ("acdt", 630), ("aedt", 660), ("nzst", 720), ("nzdt", 780), ("nst", -210), ("ndt", -150),
      ("ast", -240), ("adt", -180), ("at", -240), ("est", -300), ("edt", -240), ("et", -300), ("cst", -360),
      ("cdt", -300), ("ct", -360), ("mst", -420), ("mdt", -360), ("mt", -420), ("pst", -480), ("pdt", -420),
      ("pt", -480), ("akst", -540), ("akdt", -480), ("hst", -600), ("brt", -180), ("brst", -120),
      ("art", -180),
      ("clt", -240), ("clst", -180), ("cot", -300), ("pet", -300), ("vet", -240), ("uyt", -180),
    ]
    var zones: [UInt64: Int] = [:]
    for (name, minutes) in table {
      zones[name.utf8.reduce(0) { $0 << 8 | UInt64($1) }] = minutes
    }
    return zones
  }()
}
