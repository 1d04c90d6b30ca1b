public import NewsCore
public import NewsTerminal

/// Everything that can be configured, in plain values with their defaults; config/newsd.yaml documents each.
public struct Settings: Sendable {
  /// Path of the store's file.
  public var store = ""
  /// True: a store that is not there is an error, and none is made. A slip in a path must not pass for a store with
  /// nothing in it.
  public var storeMustExist = false
  public var network = Network()
  public var poll = Poll()
  public var limits = FetchLimits()
  public var webSub = WebSub()
  public var retention = Retention()
  public var log = Log()
  /// Keys, colours and programs of the interactive reader.
  public var reader = ReaderOptions()
  /// Names to secrets, for `credential: config:NAME` of a feed. Never printed.
  public var credentials: [String: String] = [:]

  public init() {}

  /// How and whom newsd asks.
  public struct Network: Sendable {
    /// Nil: newsd's own, with its version and a URL.
    public var userAgent: String?
    /// Transfers at a time.
    public var concurrency = 64
    /// Transfers at a time to one registrable domain.
    public var perSite = 2
    /// Milliseconds between the starts of two scheduled requests to one registrable domain.
    public var spacing = 1000
    /// True: no guard against local and private addresses.
    public var allowsPrivate = false
    /// Networks (CIDR) and host names that the guard lets through.
    public var allowedAddresses: [String] = []
    /// URL of the proxy for all feeds; nil: what the environment says.
    public var proxy: String?
    /// Path of a PEM file with the authorities to believe instead of the system's.
    public var certificateAuthority: String?
    /// Bytes of all bodies in flight together.
    public var bodyBudget = 32 << 20
  }

  /// How often feeds are polled.
  public struct Poll: Sendable {
    /// Seconds.
    public var minimumInterval: Int64 = 15 * 60
    /// Seconds.
    public var maximumInterval: Int64 = 24 * 3600
    /// Seconds.
    public var maximumBackoff: Int64 = 7 * 86_400
    /// A permanent redirect becomes the feed's URL after this many polls that agree …
    public var moveAfterPolls = 3
    /// … over at least this many seconds.
    public var moveAfter: Int64 = 24 * 3600

    /// Both bounds.
    public var intervals: ClosedRange<Int64> { minimumInterval...max(minimumInterval, maximumInterval) }
  }

  /// Where hubs push feeds to.
  public struct WebSub: Sendable {
    /// The URL under which hubs reach this machine; nil: no hub is asked to push anything.
    public var callback: String?
    /// `ADDRESS:PORT` to listen on; nil: what the callback names.
    public var listen: String?
  }

  /// How long items are kept.
  public struct Retention: Sendable {
    /// Days; nil: no bound.
    public var keepDays: Int?
    /// Items of one feed; nil: no bound.
    public var keepItems: Int?
    /// True: unread items may go, too.
    public var prunesUnread = false
    /// True: starred items may go, too.
    public var prunesStarred = false
    /// By name of the folder; see `RetentionRules`.
    public var folders: [String: RetentionPolicy] = [:]

    /// As the store is asked.
    public var rules: RetentionRules {
      RetentionRules(
        general: RetentionPolicy(days: keepDays, items: keepItems),
        folders: folders,
        takesUnread: prunesUnread,
        takesStarred: prunesStarred
      )
    }
  }

  /// What the daemon writes to standard error.
  public struct Log: Sendable {
    /// The shape of its lines.
    public enum Format: String, Sendable, CaseIterable { case text, json }
    public var format = Format.text
    /// How severe an event must be to be logged; the most severe level comes first.
    public enum Level: String, Sendable, CaseIterable, Comparable {
      case error, warning, info, debug

      public static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }

      private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }
    public var level = Level.info
  }
}
