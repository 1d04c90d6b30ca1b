public import NewsCore
import NewsHTTP
import NewsPostgres
import NewsToolbox
public import NewsTerminal

/// All settings as plain values with their defaults; config/newsd.yaml documents each.
public struct Settings: Sendable {
  /// Path of the store's file, or address of a store on PostgreSQL.
  public var store = ""
  /// The path or address of the store without passwords, for messages.
  public var storeName: String { Self.storeName(store) }

  /// A path or address of a store without passwords, for messages.
  public static func storeName(_ address: String) -> String { StoreURI.redacted(address) }

  /// Why an address cannot be that of a server with accounts; nil: it can.
  public static func problem(ofAccountsAt address: String) -> String? {
    do throws(StoreError) {
      let isOfOne = try StoreURI(address).namesSchema
      return isOfOne ? "the address must not name a schema, because each account has one" : nil
    } catch {
      return error.message
    }
  }

  /// True for an address of a store on a server, also a mistyped one; false for a path.
  public static func isStoreAddress(_ text: String) -> Bool { StoreURI.isStoreURI(text) }

  /// True: a missing store is an error instead of being created, because a mistyped path must not look like an
  /// empty store.
  public var storeMustExist = false
  /// What to do if the store is missing.
  public var missingStoreAdvice = "Create one with 'newsd feeds add URL', or name another with --db"
  /// What is to be changed in the configuration, for standard error.
  public var configurationWarnings: [String] = []
  /// The keys that the file and the environment set, for bug reports. Values that could be secret or private are "set".
  public var configured: [String: String] = [:]
  /// Who upgrades a store of an earlier layout.
  public enum StoreUpgrade: String, Sendable, CaseIterable {
    /// `newsd run` and commands that change the store.
    case auto
    /// `newsd upgrade` only.
    case manual
  }
  public var storeUpgrade = StoreUpgrade.auto
  /// A message for standard error when the store is opened.
  public var storeNote: String?
  /// The name of this process in the list of nodes; nil: the host name.
  public var nodeName: String?
  public var accounts = Accounts()
  /// The account whose store this is; nil: there is one store.
  public var account: String?
  /// What the account may do that touches the machine.
  var accountRights: Set<AccountRight> = []
  public var network = Network()
  public var poll = PollPolicy.Configuration()
  public var limits = FetchLimits()
  public var webSub = WebSub()
  public var web = Web()
  public var openID = OpenID()
  public var retention = Retention()
  public var log = Log()
  /// Keys, colours and programs of the interactive reader.
  public var reader = ReaderOptions()
  /// Hooks, which deliver news to programs, URLs and mailboxes as it arrives.
  public var hooks: [Hook] = []
  /// The hooks for services that the page offers.
  public var hookPresets: @Sendable () -> [HookPreset] = { [] }
  /// Secrets by name, for `config:NAME` of feeds and hooks. Never printed.
  public var credentials: [String: String] = [:]

  public init() {}

  /// Settings for several accounts.
  public struct Accounts: Sendable {
    /// The folder with a store for each account; nil: it is not set.
    public var directory: String?
    /// The address of the server with a schema for each account; nil: it is not set.
    public var server: String?
    /// The configuration key that is set; nil: there is one store.
    public var key: String? {
      directory != nil ? "accounts.dir" : server != nil ? "accounts.store" : nil
    }
    /// The secrets of each account by name, in place of `Settings.credentials`.
    public var credentials: [String: [String: String]] = [:]
    /// The hooks of each account, in place of `Settings.hooks`.
    public var hooks: [String: [Hook]] = [:]
    /// What each account may do that touches the machine.
    public var rights: [String: Set<AccountRight>] = [:]
  }

  /// Settings of the network adapter.
  public struct Network: Sendable {
    /// The User-Agent field; nil: `newsd/VERSION`.
    public var userAgent: String?
    /// Upper bound on concurrent transfers.
    public var concurrency = 64
    /// Upper bound on concurrent transfers to one registrable domain.
    public var perSite = 2
    /// Milliseconds between the starts of two scheduled requests to one registrable domain.
    public var spacing = 1000
    /// True: turn off the guard against local and private addresses.
    public var allowsPrivate = false
    /// Networks (CIDR) and host names that the guard allows.
    public var allowedAddresses: [String] = []
    /// URL of the proxy for all feeds; nil: the environment decides.
    public var proxy: String?
    /// Path of a PEM file with the certificate authorities to trust instead of the system's.
    public var certificateAuthority: String?
    /// Upper bound on the bytes of all bodies in flight and the feeds parsed from them.
    public var bodyBudget = 32 << 20
  }

  /// Settings for hubs that push feeds.
  public struct WebSub: Sendable {
    /// The URL at which hubs reach this machine; nil: newsd subscribes at no hub.
    public var callback: String?
    /// `ADDRESS:PORT` to listen on; nil: derived from the callback.
    public var listen: String?
  }

  /// Settings of the web server of `newsd run`.
  public struct Web: Sendable {
    /// The clients that may read `/metrics`: those of this machine, those with a password, or none.
    public enum Metrics: String, Sendable, CaseIterable { case local, password, off }
    /// How the page gets the pictures and recordings of items: from the publishers, through newsd, or through newsd, which
    /// keeps the pictures of starred and labelled items.
    public enum Media: String, Sendable, CaseIterable { case direct, proxy, cache }
    /// The abilities of `/mcp`: none, reading, or reading and writing.
    public enum Tools: String, Sendable, CaseIterable { case off, read, write }
    /// A protocol for other readers.
    public enum API: String, Sendable, CaseIterable { case greader, fever, miniflux }

    /// `ADDRESS:PORT`, `unix:PATH` or `systemd`; nil: newsd listens on nothing.
    public var listen: String?
    /// The URL at which clients reach newsd; nil: the Host of each request decides.
    public var url: WebSite?
    /// The name of the account; nil: the name chosen on the set-up page.
    public var user: String?
    /// A file with the login password.
    public var passwordFile: String?
    /// The ways to log in to the page; nil: the login password.
    public var logIn: [LogInWay]?
    /// The header field in which a reverse proxy names the account.
    public var authHeader = "Remote-User"
    /// Addresses and networks whose X-Forwarded-For is trusted; empty: loopback. Unix sockets are always
    /// trusted.
    public var trustedProxies: [String] = []
    /// Maximum number of connections.
    public var connections = 1024
    public var metrics = Metrics.local
    public var mcp = Tools.off
    /// The protocols that the web server offers to other readers; nil: all.
    public var apis: [API]?
    /// The text between the names of nested folders in the protocols for other readers.
    public var folderSeparator = "/"
    /// Upper bound on the bytes of all pictures in the media store; 0: no icons are looked up.
    public var mediaSize = 64 << 20
    /// True: the web server offers a page for browsers.
    public var page = true
    /// Nil: `direct` if only this machine can reach the page, else `proxy`.
    public var media: Media?

    /// What the configuration fixes of the settings that are made on the page. Its retention is `Settings.retention`.
    public var choices = PageChoices()
    /// A style sheet of one's own, which the page loads after newsd's.
    public var stylesheet: String?

    /// True: the page gets pictures and recordings through newsd.
    public var relaysMedia: Bool {
      if let media { return media != .direct }
      let host = listen?.cut(atLast: ":")?.before ?? ""
      let address = host.utf8.first == UInt8(ascii: "[") ? host.dropFirst().dropLast() : host
      return url != nil || !(address == "localhost" || TrustedProxies.isLoopback(String(address)))
    }

    /// The ways to log in to the page.
    public var ways: Set<LogInWay> { Set(logIn ?? [.password]) }

    public func serves(_ api: API) -> Bool { apis?.contains(api) ?? true }
  }

  /// Settings of the OpenID provider.
  public struct OpenID: Hashable, Sendable {
    public var issuer: String?
    public var clientID: String?
    /// A file with the client's secret; nil: the client has none.
    public var clientSecretFile: String?
    /// Only members of these groups may log in; empty: everybody.
    public var groups: [String] = []
    /// True: an identity is linked to the account that has its name.
    public var linksAccounts = false
    /// True: an account is made for an identity that has none.
    public var createsAccounts = false
  }

  /// Settings for the retention of items.
  public struct Retention: Sendable {
    /// Upper bound on the age in days; nil: none.
    public var keepDays: Int?
    /// Upper bound on the items of one feed; nil: none.
    public var keepItems: Int?
    /// True: unread items may be removed, too.
    public var prunesUnread = false
    /// True: starred items may be removed, too.
    public var prunesStarred = false
    /// Policies by folder name; see `RetentionRules`.
    public var folders: [String: RetentionPolicy] = [:]

    /// The rules in the form that the store takes.
    public var rules: RetentionRules {
      RetentionRules(
        general: RetentionPolicy(days: keepDays, items: keepItems),
        folders: folders,
        includesUnread: prunesUnread,
        includesStarred: prunesStarred
      )
    }
  }

  /// Settings of the daemon's log on standard error.
  public struct Log: Sendable {
    /// The format of a log line.
    public enum Format: String, Sendable, CaseIterable { case text, json }
    public var format = Format.text
    /// The least severe level that is logged. Cases are ordered from most to least severe.
    public enum Level: String, Sendable, CaseIterable, Comparable {
      case error, warning, info, debug

      public static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }

      private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }
    public var level = Level.info
  }
}
