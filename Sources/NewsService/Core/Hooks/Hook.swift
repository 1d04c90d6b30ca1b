/// A hook: the events that fire it, and the destination of its deliveries.
public struct Hook: Hashable, Sendable {
  /// The destination of deliveries.
  public enum Target: Hashable, Sendable {
    /// A program and its arguments; it reads the body on standard input.
    case exec([String])
    /// A URL that receives the body by POST, or, with `Hook.hasNoBody`, the template of a URL that is requested by
    /// GET.
    case url(String)
    /// A mail address.
    case mail(String)

    /// The key of the configuration: `exec`, `url` or `mail`.
    public var kind: String {
      switch self {
      case .exec: "exec"
      case .url: "url"
      case .mail: "mail"
      }
    }
  }

  /// An extra request header. The value may be `config:NAME`, a secret of the configuration.
  public struct Header: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A second request of a delivery, for services that take the parts of an item one after the other.
  public struct NextRequest: Hashable, Sendable {
    /// The URL; `{id}` is replaced by the member `id` of the answer to the first request.
    public var url: String
    /// The template of the body. newsd omits the second request if the body is empty.
    public var template: String

    public init(url: String, template: String) {
      self.url = url
      self.template = template
    }
  }

  /// How requests are authorized by a token that expires. Both kinds are sent as a Bearer.
  public enum TokenSource: Hashable, Sendable {
    /// The token endpoint of OAuth 2.0 (RFC 6749 section 3.2), and the name of the secret that is its form.
    case oauth(url: String, form: String)
    /// The name of the secret that signs JSON Web Tokens with HMAC-SHA512 (RFC 7519, RFC 7518 section 3.2).
    case jwt(secret: String)

    var secretName: String {
      switch self {
      case .oauth(_, let form): form
      case .jwt(let secret): secret
      }
    }
  }

  public var name: String
  public var target: Target
  /// Selects items; empty: every item. Nil: the hook fires for its events only, and for every item that they are about.
  public var query: String?
  public var events: Set<HookEvent>
  /// Seconds after which a failing feed is reported.
  public var failingAfter: Int64
  /// True if the hook also fires for the first items of a newly added feed.
  public var takesBacklog: Bool
  /// The times at which collected entries are sent together; nil: each entry is sent at once.
  public var digest: DigestSchedule?
  /// The template of the body; nil: JSON.
  public var template: String?
  /// Name of the secret that signs requests.
  public var secret: String?
  public var headers: [Header]
  public var token: TokenSource?
  /// A text that the answer to an accepted delivery contains; nil: the status suffices.
  public var answer: String?
  public var next: NextRequest?
  /// True: the URL is a template, and is requested by GET.
  public var hasNoBody: Bool
  /// True if the URL's own origin may have a private address.
  public var allowsPrivate: Bool
  /// Milliseconds that a request or program may take; nil: the target's default.
  public var timeout: Int?
  /// True: the hook was added on the page; false: the configuration has it.
  public var isOfPage = false
  /// Secrets in the URL or the templates, which no message may have.
  public var hiddenTexts: [String] = []

  public init(name: String, target: Target) {
    self.name = name
    self.target = target
    query = ""
    events = []
    failingAfter = 3 * 86_400
    takesBacklog = false
    headers = []
    hasNoBody = false
    allowsPrivate = false
  }

  /// The target without secrets: the program, the URL's origin, or the address.
  public var displayTarget: String {
    switch target {
    case .exec(let words): words.first ?? ""
    case .url(let url): WebAddress(url)?.origin ?? "url"
    case .mail(let address): address
    }
  }

  /// The names in the hook's `config:NAME` references.
  public var secretNames: [String] {
    ([secret, token?.secretName] + headers.map { Self.secretName(in: $0.value) }).compactMap { $0 }
  }

  /// Returns the name in `config:NAME`; nil for other text.
  public static func secretName(in text: String) -> String? {
    let prefix = "config:".utf8
    guard text.utf8.starts(with: prefix) else { return nil }
    return String(decoding: text.utf8.dropFirst(prefix.count), as: UTF8.self)
  }

  /// True for one mail address that can be an argument of `sendmail`.
  public static func isMailAddress(_ text: String) -> Bool {
    let isSafe = text.utf8.allSatisfy {
      $0 > UInt8(ascii: " ") && $0 < 0x7F && !"<>,;:\"".utf8.contains($0)
    }
    return isSafe && !text.isEmpty && text.utf8.first != UInt8(ascii: "-")
  }

  /// True for a name that is safe in keys, file names and headers.
  public static func isName(_ text: String) -> Bool {
    let isAllowed = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    return (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isAllowed)
  }
}

/// The events for which a hook can fire. Raw values are the names in the configuration and in requests.
public enum HookEvent: String, Hashable, Sendable, CaseIterable {
  /// A new item.
  case item
  /// A feed edited an item.
  case edited
  /// The user starred an item.
  case starred
  /// The user removed the star of an item.
  case unstarred
  /// The user gave an item a label.
  case labelled
  /// The user saved an item.
  case saved
  /// A feed has failed for `Hook.failingAfter` seconds.
  case feedFailing = "feed-failing"
  /// A feed is gone for good.
  case feedGone = "feed-gone"
  /// A feed's URL changed.
  case feedMoved = "feed-moved"
  /// The store cannot be written, or can be written again.
  case store
  /// No host can be reached, or hosts answer again.
  case network
  /// A delivery that `hooks test` sends.
  case test

  /// The names that `events` of the configuration takes.
  public static let configurable: [HookEvent] = [
    .feedFailing, .feedGone, .feedMoved, .store, .network, .edited, .starred, .unstarred, .labelled, .saved,
    .item,
  ]

  /// The changes that a user makes to items.
  public static let marks: Set<HookEvent> = [.starred, .unstarred, .labelled, .saved]
}

/// The times at which a hook sends the items that it has collected.
public enum DigestSchedule: Hashable, Sendable {
  /// At each multiple of this many seconds since 1970, in UTC; 3600 means every full hour.
  case every(Int64)
  /// Each day at this time, in seconds after midnight of the local zone.
  case at(Int64)

  /// Returns the latest scheduled time that has passed. Entries older than it are sent. `offset` returns the
  /// local zone's offset from UTC at a time, in seconds.
  public func latest(notAfter now: Timestamp, offset: (Timestamp) -> Int) -> Timestamp {
    switch self {
    case .every(let interval):
      let rest = now.seconds % max(interval, 1)
      return now - (rest < 0 ? rest + interval : rest)
    case .at(let time):
      // Start with today's time, at the offset that applies then, and go back until the time has passed.
      for daysAgo in Int64(0)...2 {
        let day = Int64((now - daysAgo * 86_400).civil(offset: offset(now)).daysSinceEpoch)
        let local = Timestamp(seconds: day * 86_400 + time)
        let guess = local - Int64(offset(now))
        let found = local - Int64(offset(guess))
        if found <= now { return found }
      }
      return now - 86_400
    }
  }
}
