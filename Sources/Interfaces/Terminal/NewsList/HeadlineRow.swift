import Modules
import NewsCore

/// A row of a list of headlines.
enum HeadlineRow: Hashable, Sendable {
  /// The day of the headlines below.
  case day(DisplayText)
  /// The index of a headline.
  case headline(Int)
  /// The excerpt that a search found in the item of this headline.
  case excerpt(Int)

  /// The headline that the row belongs to; nil: none.
  var line: Int? {
    switch self {
    case .day: nil
    case .headline(let line), .excerpt(let line): line
    }
  }

  static func rows(of window: HeadlineWindow, isByTime: Bool, _ times: TimeDisplay) -> [HeadlineRow] {
    var rows: [HeadlineRow] = []
    rows.reserveCapacity(window.count + 16)
    var day: Int64?
    let today = Self.day(times.now, times.zone)
    for (index, line) in window.lines.enumerated() {
      if isByTime {
        let time = line.sortTime
        let next = Self.day(time, times.zone)
        if next != day {
          rows.append(.day(name(of: next, today: today, time, times.zone)))
          day = next
        }
      }
      rows.append(.headline(index))
      if !line.excerpt.isEmpty { rows.append(.excerpt(index)) }
    }
    return rows
  }

  private static func day(_ time: Timestamp, _ zone: Zone) -> Int64 {
    let seconds = time.seconds &+ Int64(zone.offset(at: time))
    return seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
  }

  private static func name(of day: Int64, today: Int64, _ time: Timestamp, _ zone: Zone) -> DisplayText {
    switch today - day {
    case 0: DisplayText(line: Wording.today)
    case 1: DisplayText(line: Wording.yesterday)
    default: DisplayText(line: LocaleDate.date(time, in: zone))
    }
  }
}
