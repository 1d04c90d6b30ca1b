import Glibc
public import NewsCore
import NewsToolbox

/// The time zone that dates are shown in.
public enum Zone: Hashable, Sendable {
  case utc
  /// The system's (`TZ`, else `/etc/localtime`).
  case local
  /// Seconds east of UTC.
  case fixed(Int)

  /// Seconds east of UTC at that time.
  public func offset(at time: Timestamp) -> Int {
    switch self {
    case .utc: 0
    case .local: Int(brokenDown(time).tm_gmtoff)
    case .fixed(let seconds): seconds
    }
  }

  /// `time` by a pattern of strftime(3), in the language of LC_TIME. Empty where the pattern gives nothing.
  public func format(_ time: Timestamp, _ pattern: String) -> String {
    guard !pattern.isEmpty else { return "" }
    // The C library would work the seconds out of the parts, as if those were local time.
    let pattern = Self.replacingSeconds(in: pattern, by: time)
    var parts = brokenDown(time)
    var size = 128
    // strftime answers 0 both for a small buffer and for an empty result: grow a few times, then believe it.
    while size <= 8192 {
      let result = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer -> String? in
        let count = strftime(buffer.baseAddress, size, pattern, &parts)
        guard count > 0 else { return nil }
        return buffer.withMemoryRebound(to: UInt8.self) { String(decoding: $0[..<count], as: UTF8.self) }
      }
      if let result { return result }
      size *= 8
    }
    return ""
  }

  /// The pattern with `%s`, the seconds since 1970, written out.
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

  /// The C library says GMT. `%Z` reads the name through this pointer, which lives as long as the program.
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
