import DIContainer
import NewsCore
import NewsTerminal
import NewsToolbox

/// One key of the configuration: its names in the file and the environment, and the setting it changes.
struct ConfigurationKey: Sendable {
  /// Name in the file, for example `fetch.total_timeout`.
  var name: String
  var isList = false
  var set: @Sendable (inout Settings, String) throws -> Void

  /// Name of the environment variable, for example `NEWSD_FETCH_TOTAL_TIMEOUT`.
  var environmentName: String { Self.environmentName(of: name) }

  static func environmentName(of name: String) -> String {
    // By bytes: each start makes the names of all keys.
    let bytes = name.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "."): UInt8(ascii: "_")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 0x20
      default: byte
      }
    }
    return "NEWSD_" + String(decoding: bytes, as: UTF8.self)
  }

  init(_ name: String, _ set: @escaping @Sendable (inout Settings, String) throws -> Void) {
    self.name = name
    self.set = set
  }

  init(list name: String, _ append: @escaping @Sendable (inout Settings, String) throws -> Void) {
    self.name = name
    isList = true
    set = append
  }

  /// Keys whose values name a user or a machine, also where they are single words.
  private static let privateKeys: Set<String> = [
    "store", "accounts.dir", "accounts.store", "node.name", "web.user", "web.password_file", "web.stylesheet",
    "web.start_page", "web.auth_header", "oidc.client_id", "oidc.client_secret_file", "oidc.groups",
    "network.user_agent",
    "network.ca_file",
  ]

  /// The value as a bug report shows it: only numbers and single words, which are no address, path or password.
  func shown(_ text: String) -> String {
    let isWord =
      !text.isEmpty && text.utf8.count <= 16
      && text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) }
    return isWord && !Self.privateKeys.contains(name) && !name.hasPrefix("retention.folders") ? text : "set"
  }

  private typealias Value = ConfigurationValue
  private static let day = 86_400

  /// Former names of keys, each with the present one. A former name is read, with a warning, for one minor version.
  static let renamed: [String: String] = [:]

  /// Every key with a fixed name. The sections retention.folders, keys, colors, actions, hooks and
  /// credentials are read elsewhere.
  static let all: [ConfigurationKey] = [
    ConfigurationKey("store") { $0.store = try Value.string($1) },
    ConfigurationKey("store.upgrade") { $0.storeUpgrade = try Value.word($1) },
    ConfigurationKey("accounts.dir") { $0.accounts.directory = try Value.string($1) },
    ConfigurationKey("accounts.store") { $0.accounts.server = try Value.string($1) },
    ConfigurationKey("node.name") { $0.nodeName = try Value.line($1) },

    ConfigurationKey("network.user_agent") { $0.network.userAgent = try Value.line($1) },
    ConfigurationKey("network.concurrency") { $0.network.concurrency = try Value.integer($1, 1...1000) },
    ConfigurationKey("network.per_site") { $0.network.perSite = try Value.integer($1, 1...64) },
    ConfigurationKey("network.spacing") { $0.network.spacing = try Value.milliseconds($1, 0...3_600_000) },
    ConfigurationKey("network.allow_private") { $0.network.allowsPrivate = try Value.boolean($1) },
    ConfigurationKey(list: "network.allow") { $0.network.allowedAddresses.append(try Value.destination($1)) },
    ConfigurationKey("network.proxy") { $0.network.proxy = try Value.proxy($1) },
    ConfigurationKey("network.ca_file") { $0.network.certificateAuthority = try Value.string($1) },
    ConfigurationKey("network.body_budget") {
      $0.network.bodyBudget = try Value.bytes($1, 1 << 20...1 << 34)
    },

    ConfigurationKey("fetch.connect_timeout") {
      $0.limits.connectTimeout = try Value.milliseconds($1, 100...600_000)
    },
    ConfigurationKey("fetch.first_byte_timeout") {
      $0.limits.firstByteTimeout = try Value.milliseconds($1, 100...600_000)
    },
    ConfigurationKey("fetch.total_timeout") {
      $0.limits.totalTimeout = try Value.milliseconds($1, 100...3_600_000)
    },
    ConfigurationKey("fetch.low_speed") { $0.limits.lowSpeed = try Value.bytes($1, 0...1 << 30) },
    ConfigurationKey("fetch.low_speed_time") {
      $0.limits.lowSpeedSeconds = Int(try Value.seconds($1, 1...3600))
    },
    ConfigurationKey("fetch.maximum_size") { $0.limits.bodyBytes = try Value.bytes($1, 1 << 10...1 << 32) },
    ConfigurationKey("fetch.maximum_headers") {
      $0.limits.headerBytes = try Value.bytes($1, 1 << 10...1 << 24)
    },
    ConfigurationKey("fetch.redirects") { $0.limits.redirects = try Value.integer($1, 0...50) },
    ConfigurationKey("fetch.allow_downgrade") { $0.limits.allowsDowngrade = try Value.boolean($1) },

    ConfigurationKey("poll.minimum_interval") {
      $0.poll.minimumInterval = try Value.seconds($1, 1...365 * day)
    },
    ConfigurationKey("poll.maximum_interval") {
      $0.poll.maximumInterval = try Value.seconds($1, 1...365 * day)
    },
    ConfigurationKey("poll.maximum_backoff") {
      $0.poll.maximumBackoff = try Value.seconds($1, 1...365 * day)
    },
    ConfigurationKey("poll.move_after_polls") { $0.poll.adoptionPolls = try Value.integer($1, 1...1000) },
    ConfigurationKey("poll.move_after") { $0.poll.adoptionAge = try Value.seconds($1, 0...365 * day) },

    ConfigurationKey("websub.callback") { $0.webSub.callback = try Value.string($1) },
    ConfigurationKey("websub.listen") { $0.webSub.listen = try Value.string($1) },

    ConfigurationKey("web.listen") { $0.web.listen = try Value.listener($1) },
    ConfigurationKey("web.url") { $0.web.url = try Value.site($1) },
    ConfigurationKey("web.user") { $0.web.user = try Value.accountName($1) },
    ConfigurationKey("web.password_file") { $0.web.passwordFile = try Value.string($1) },
    ConfigurationKey(list: "web.trusted_proxies") { $0.web.trustedProxies.append(try Value.network($1)) },
    ConfigurationKey(list: "web.log_in") { $0.web.logIn = ($0.web.logIn ?? []) + [try Value.word($1)] },
    ConfigurationKey("web.auth_header") { $0.web.authHeader = try Value.fieldName($1) },
    ConfigurationKey("web.connections") { $0.web.connections = try Value.integer($1, 2...16_384) },
    ConfigurationKey("web.metrics") { $0.web.metrics = try Value.word($1) },
    ConfigurationKey("web.mcp") { $0.web.mcp = try Value.word($1) },
    ConfigurationKey(list: "web.apis") { settings, text in
      if text == "none" {
        settings.web.apis = []
      } else {
        settings.web.apis = (settings.web.apis ?? []) + [try Value.word(text)]
      }
    },
    ConfigurationKey("web.folder_separator") { $0.web.folderSeparator = try Value.separator($1) },
    ConfigurationKey("web.media") { $0.web.media = try Value.word($1) },
    ConfigurationKey("web.media_size") { $0.web.mediaSize = try Value.bytes($1, 0...1 << 40) },
    ConfigurationKey("web.stylesheet") { $0.web.stylesheet = try Value.string($1) },
    ConfigurationKey("web.start_page") { $0.web.choices.start = try Value.listPath($1) },
    ConfigurationKey("web.mark_read") { $0.web.choices.marking = try Value.word($1) },
    ConfigurationKey("web.mark_scrolled") { $0.web.choices.marksScrolled = try Value.boolean($1) },
    ConfigurationKey("web.oldest_first") { $0.web.choices.showsOldestFirst = try Value.boolean($1) },
    ConfigurationKey("web.sort_tree") { $0.web.choices.sortsTree = try Value.boolean($1) },
    ConfigurationKey("web.time_zone") { $0.web.choices.zone = try Value.zone($1) },
    ConfigurationKey("web.page") { $0.web.page = try Value.boolean($1) },

    ConfigurationKey("oidc.issuer") { $0.openID.issuer = try Value.issuer($1) },
    ConfigurationKey("oidc.client_id") { $0.openID.clientID = try Value.line($1) },
    ConfigurationKey("oidc.client_secret_file") { $0.openID.clientSecretFile = try Value.string($1) },
    ConfigurationKey(list: "oidc.groups") { $0.openID.groups.append(try Value.line($1)) },
    ConfigurationKey("oidc.links_accounts") { $0.openID.linksAccounts = try Value.boolean($1) },
    ConfigurationKey("oidc.creates_accounts") { $0.openID.createsAccounts = try Value.boolean($1) },

    ConfigurationKey("retention.keep_days") { $0.retention.keepDays = try Value.integer($1, 1...100_000) },
    ConfigurationKey("retention.keep_items") {
      $0.retention.keepItems = try Value.integer($1, 1...100_000_000)
    },
    ConfigurationKey("retention.prune_unread") { $0.retention.prunesUnread = try Value.boolean($1) },
    ConfigurationKey("retention.prune_starred") { $0.retention.prunesStarred = try Value.boolean($1) },

    ConfigurationKey("log.format") { settings, text in
      guard let format = Settings.Log.Format(rawValue: text) else {
        throw ConfigurationValue.Problem(message: "takes text or json, not '\(text)'")
      }
      settings.log.format = format
    },
    ConfigurationKey("log.level") { settings, text in
      guard let level = Settings.Log.Level(rawValue: text) else {
        throw ConfigurationValue.Problem(message: "takes error, warning, info or debug, not '\(text)'")
      }
      settings.log.level = level
    },

    ConfigurationKey("reader.mark_read") { settings, text in
      settings.reader.marksRead =
        switch text {
        case "opened": .opened
        case "never": .never
        default: .after(seconds: Double(try Value.seconds(text, 1...3600)))
        }
    },
    ConfigurationKey("reader.start") { settings, text in
      guard ["subscriptions", "last"].contains(text) else {
        throw ConfigurationValue.Problem(message: "takes subscriptions or last, not '\(text)'")
      }
      settings.reader.startsAtLastPlace = text == "last"
    },
    ConfigurationKey("reader.bidi") { settings, text in
      guard let direction = ReaderOptions.Direction(rawValue: text) else {
        throw ConfigurationValue.Problem(message: "takes auto, terminal or newsd, not '\(text)'")
      }
      settings.reader.direction = direction
    },
    ConfigurationKey("reader.width") { $0.reader.textWidth = try Value.integer($1, 20...500) },
    ConfigurationKey("reader.player") { settings, text in
      guard let words = try? CommandWords.split(text), !words.isEmpty else {
        throw ConfigurationValue.Problem(message: "takes a program and its arguments, not '\(text)'")
      }
      settings.reader.player = words
    },
    ConfigurationKey("reader.mouse") { $0.reader.usesMouse = try Value.boolean($1) },
  ]

  /// Name of the section whose keys are names chosen by the user.
  static let credentials = "credentials"
  /// The section with the rights of accounts.
  static let accountRights = "accounts.may"
  /// Name of the section with a subsection of limits for each folder.
  static let retentionFolders = "retention.folders"
}
