import Glibc
public import NewsCore
import NewsToolbox

/// The time zone in which dates are displayed.
public enum Zone: Hashable, Sendable {
  case utc
  /// The system's time zone (`TZ`, else `/etc/localtime`).
  case local
  /// A fixed offset from UTC in seconds, positive to the east.
  case fixed(Int)

  /// The offset from UTC at `time`, in seconds, positive to the east.
  public func offset(at time: Timestamp) -> Int {
    switch self {
    case .utc: 0
    case .local: Int(brokenDown(time).tm_gmtoff)
    case .fixed(let seconds): seconds
    }
  }

  /// Formats `time` by a strftime(3) pattern, in the language of LC_TIME. Returns an empty string if the result is
  /// empty or longer than 8 KiB.
  public func format(_ time: Timestamp, _ pattern: String) -> String {
    guard !pattern.isEmpty else { return "" }
    // strftime would compute `%s` from the broken-down time as if that were local time.
    let pattern = Self.replacingSeconds(in: pattern, by: time)
    var parts = brokenDown(time)
    var size = 128
    // strftime returns 0 both for a small buffer and for an empty result. Grow the buffer a few times, then take
    // the result as empty.
    while size <= 8192 {
      let result = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer -> String? in
        // From 2.41 on, glibc's header declares that the buffer is never null.
        guard let start = buffer.baseAddress else { return nil }
        let count = strftime(start, size, pattern, &parts)
        guard count > 0 else { return nil }
        return buffer.withMemoryRebound(to: UInt8.self) { String(decoding: $0[..<count], as: UTF8.self) }
      }
      if let result { return result }
      size *= 8
    }
    return ""
  }

  /// Replaces `%s` in the pattern by the seconds since 1970.
  private static func replacingSeconds(in pattern: String, by time: Timestamp) -> String {
    guard pattern.contains("%s") else { return pattern }
    var result = ""
    var characters = pattern[...]
    while let character = characters.popFirst() {
      guard character == "%", let next = characters.popFirst() else {
        result.append(character)
        continue
      }
      if next == "s" { result += String(time.seconds) } else { result += [character, next] }
    }
    return result
  }

  /// The value of `%Z` for UTC; the C library would write "GMT". `tm_zone` keeps the pointer, so the string must be
  /// static.
  private static var utcName: UnsafePointer<CChar> {
    let name: StaticString = "UTC"
    return UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  private func brokenDown(_ time: Timestamp) -> tm {
    var parts = tm()
    switch self {
    case .utc:
      var seconds = time_t(time.seconds)
      gmtime_r(&seconds, &parts)
      parts.tm_zone = Self.utcName
    case .local:
      var seconds = time_t(time.seconds)
      localtime_r(&seconds, &parts)
    case .fixed(let offset):
      var seconds = time_t(time.seconds &+ Int64(offset))
      gmtime_r(&seconds, &parts)
      parts.tm_gmtoff = offset
    }
    return parts
  }
}

extension Timestamp {
  /// `2026-11-20 08:15`.
  public func dateAndTime(in zone: Zone) -> String {
    let civil = civil(offset: zone.offset(at: self))
    return "\(Self.date(civil)) \(civil.hour.digits(2)):\(civil.minute.digits(2))"
  }

  /// `2026-11-20`.
  public func date(in zone: Zone) -> String {
    Self.date(civil(offset: zone.offset(at: self)))
  }

  private static func date(_ civil: CivilTime) -> String {
    "\(civil.year.digits(4))-\(civil.month.digits(2))-\(civil.day.digits(2))"
  }
}
