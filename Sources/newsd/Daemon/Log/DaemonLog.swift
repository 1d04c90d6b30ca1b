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
  private let threshold: Threshold
  /// Fields of every line, after the event.
  private let constant: [(String, Value)]
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
    threshold = Threshold(level)
    constant = []
    self.clock = clock
    self.hasPriorities = hasPriorities
    self.sink = sink
  }

  /// The least severe level, which the logs of all accounts share.
  private final class Threshold: Sendable {
    let level: Mutex<Level>
    init(_ level: Level) { self.level = Mutex(level) }
  }

  private init(_ other: DaemonLog, account: String) {
    format = other.format
    threshold = other.threshold
    constant = [("account", .text(account))]
    clock = other.clock
    hasPriorities = other.hasPriorities
    sink = other.sink
  }

  /// Returns the same log, with the name of an account in each line.
  func with(_ account: String) -> DaemonLog { DaemonLog(self, account: account) }

  /// The least severe level that is written.
  var level: Level {
    get { threshold.level.withLock { $0 } }
    set { threshold.level.withLock { $0 = newValue } }
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
    let all = head + constant + fields
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
