/// The parts of the day that a word beside a 12-hour time can mean.
struct DayPart: OptionSet {
  let rawValue: UInt8

  static let morning = DayPart(rawValue: 1)
  /// Noon. Without a time of day, the word means 12:00.
  static let midday = DayPart(rawValue: 1 << 1)
  static let afternoon = DayPart(rawValue: 1 << 2)
  static let evening = DayPart(rawValue: 1 << 3)
  static let night = DayPart(rawValue: 1 << 4)
  static let midnight = DayPart(rawValue: 1 << 5)
  /// The hours around noon, from the late morning to the late afternoon.
  static let daytime = DayPart(rawValue: 1 << 6)

  /// Converts an hour from 0 to 12 to the 24-hour clock. Returns nil if the result is ambiguous (`12:30 at night`).
  func hour(_ hour: Int) -> Int? {
    var found: Int?
    for part in [.morning, .midday, .daytime, .afternoon, .evening, .night, .midnight] as [DayPart]
    where contains(part) {
      guard let candidate = part.singlePartHour(hour) else { continue }
      if let found, found != candidate { return nil }
      found = candidate
    }
    return found
  }

  private func singlePartHour(_ hour: Int) -> Int? {
    switch (self, hour) {
    case (.morning, 12), (.midnight, 12), (.midnight, 0): 0
    case (.morning, _), (.night, 0...5), (.midday, 10...12), (.daytime, 10...12): hour
    case (.midday, 0...5), (.daytime, 0...5), (.afternoon, 0...11), (.evening, 3...11), (.night, 6...11):
      hour + 12
    case (.afternoon, 12): 12
    default: nil
    }
  }
}
