import DIContainer
import NewsCore

/// The daemon's log: one line for each event on standard error, as `key=value` text or as a JSON object.
struct DaemonLog: Sendable {
  enum Level: String, Sendable { case debug, info, warning, error }

  enum Value: Sendable {
    case text(String)
    case number(Int)
  }

  let format: Settings.Log.Format
  /// Debug lines are wanted (`-v`).
  let isVerbose: Bool
  /// Only warnings and errors are wanted (`-q`).
  let isQuiet: Bool
  let clock: any WallClock

  func line(_ level: Level, _ event: String, _ fields: [(String, Value)] = []) {
    if level == .debug && !isVerbose || level == .info && isQuiet || level == .debug && isQuiet { return }
    let head: [(String, Value)] = [
      ("time", .text(clock.now().rfc3339)), ("level", .text(level.rawValue)), ("event", .text(event)),
    ]
    let all = head + fields
    switch format {
    case .json:
      let body = all.map { "\(Self.quoted($0.0)):\(Self.json($0.1))" }.joined(separator: ",")
      StandardError.line("{\(body)}")
    case .text:
      StandardError.line(all.map { "\($0.0)=\(Self.text($0.1))" }.joined(separator: " "))
    }
  }

  private static func json(_ value: Value) -> String {
    switch value {
    case .text(let text): quoted(text)
    case .number(let number): String(number)
    }
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .number(let number): String(number)
    case .text(let text):
      !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x3D && $0 < 0x7F }
        ? text : quoted(text)
    }
  }

  /// A JSON string; C1 controls escaped too, because a log is read on terminals.
  private static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\t": out += "\\t"
      default:
        if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
          let digits = String(scalar.value, radix: 16)
          out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          out.unicodeScalars.append(scalar)
        }
      }
    }
    return out + "\""
  }
}
