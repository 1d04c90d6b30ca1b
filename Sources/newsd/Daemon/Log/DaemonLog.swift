import DIContainer
import NewsCore
import NewsToolbox
import Synchronization

/// The daemon's log: one line for each event, as `key=value` text or as a JSON object.
final class DaemonLog: Sendable {
  typealias Level = Settings.Log.Level

  enum Value: Sendable {
    case text(String)
    case number(Int)
  }

  private let format: Settings.Log.Format
  private let threshold: Mutex<Level>
  private let clock: any WallClock
  /// True: lines begin with a syslog priority such as `<4>`, which the journal reads and removes (sd-daemon(3)).
  private let hasPriorities: Bool
  private let sink: @Sendable (String) -> Void

  /// `sink` receives each line, without line feed, and must not block. With `hasPriorities`, each line begins
  /// with its syslog priority.
  init(
    format: Settings.Log.Format,
    level: Level,
    clock: any WallClock,
    hasPriorities: Bool = false,
    sink: @escaping @Sendable (String) -> Void
  ) {
    self.format = format
    threshold = Mutex(level)
    self.clock = clock
    self.hasPriorities = hasPriorities
    self.sink = sink
  }

  /// The least severe level that is written.
  var level: Level {
    get { threshold.withLock { $0 } }
    set { threshold.withLock { $0 = newValue } }
  }

  func line(_ level: Level, _ event: String, _ fields: [(String, Value)] = []) {
    guard level <= self.level else { return }
    sink(text(level, event, fields))
  }

  /// Formats a line, whatever the threshold.
  func text(_ level: Level, _ event: String, _ fields: [(String, Value)]) -> String {
    let head: [(String, Value)] = [
      ("time", .text(clock.now().rfc3339)), ("level", .text(level.rawValue)), ("event", .text(event)),
    ]
    let all = head + fields
    let prefix = hasPriorities ? "<\(level.priority)>" : ""
    switch format {
    case .json:
      let body = all.map { "\(JSONEscaping.quoted($0.0)):\(Self.json($0.1))" }.joined(separator: ",")
      return "\(prefix){\(body)}"
    case .text:
      return prefix + all.map { "\($0.0)=\(Self.plain($0.1))" }.joined(separator: " ")
    }
  }

  private static func json(_ value: Value) -> String {
    switch value {
    case .text(let text): JSONEscaping.quoted(text)
    case .number(let number): String(number)
    }
  }

  private static func plain(_ value: Value) -> String {
    switch value {
    case .number(let number): String(number)
    case .text(let text):
      !text.isEmpty
        && text.utf8.allSatisfy {
          (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) && $0 != UInt8(ascii: "\"")
            && $0 != UInt8(ascii: "=")
        } ? text : JSONEscaping.quoted(text)
    }
  }
}

extension Settings.Log.Level {
  /// The priority of syslog(3).
  var priority: Int {
    switch self {
    case .error: 3
    case .warning: 4
    case .info: 6
    case .debug: 7
    }
  }
}
