import DIContainer
import Glibc
import NewsCore
import NewsToolbox

/// Reads settings from the file and the environment.
///
/// The environment overrides the file. The caller applies flags, which override both.
struct ConfigurationLoader {
  var environment: [String: String]
  var isRoot = geteuid() == 0
  /// The keys whose former names are read, too.
  var renamedKeys = ConfigurationKey.renamed
  /// The store of the systemd service.
  var serviceStore = "/var/lib/newsd/newsd.db"
  /// Where packages and administrators put the unit of the systemd service.
  var serviceUnits = ["/etc/systemd/system/newsd.service", "/usr/lib/systemd/system/newsd.service"]
  /// Exists while systemd manages the machine (sd_booted(3)).
  var systemdFolder = "/run/systemd/system"

  /// Path of the configuration file: `--config`, else `NEWSD_CONFIG`, else the user's, else the system's; nil if
  /// there is none.
  func path(flag: String?) -> String? {
    if let flag { return flag }
    if let named = environment["NEWSD_CONFIG"], !named.isEmpty { return named }
    let home = environment["HOME"] ?? ""
    let base = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.config"
    return [base + "/newsd/newsd.yaml", "/etc/newsd/newsd.yaml"].first { access($0, F_OK) == 0 }
  }

  /// Loads the settings. Throws if the file cannot be read, or for a wrong key or value in the file or environment.
  func load(flag: String?) throws(ConfigurationError) -> Settings {
    var settings = Settings()
    settings.hookPresets = { PresetFile.ofPage }
    if let path = path(flag: flag) {
      let bytes: [UInt8]
      do {
        bytes = try FileBytes.read(path)
      } catch {
        throw ConfigurationError(message: "cannot read the configuration \(path): \(error.reason)")
      }
      try apply(bytes, file: path, to: &settings)
    }
    try applyEnvironment(to: &settings)
    if let directory = settings.accounts.directory, directory.hasPrefix(bytesOf: "~/") {
      settings.accounts.directory = (environment["HOME"] ?? "") + directory.dropFirst()
    }
    try check(settings)
    return settings
  }

  /// Applies the content of a configuration file.
  func apply(_ bytes: [UInt8], file: String, to settings: inout Settings) throws(ConfigurationError) {
    let root: YAMLNode?
    do {
      root = try YAMLNode.parse(bytes)
    } catch {
      throw ConfigurationError(message: "\(file):\(error.line): \(error.message)")
    }
    guard let root else { return }
    let sections = try root.pairs(file, orElse: "the configuration must consist of 'key: value' lines")
    var seen: Set<String> = []
    // Apply hooks last: they refer to secrets, which the file may define after them.
    let isHooks = { (key: YAMLNode) in
      if case .scalar(HookConfiguration.section) = key.value { true } else { false }
    }
    for (key, value) in sections.filter({ !isHooks($0.key) }) + sections.filter({ isHooks($0.key) }) {
      try apply(key: key, value: value, prefix: "", file: file, seen: &seen, to: &settings)
    }
  }

  private func apply(
    key: YAMLNode,
    value: YAMLNode,
    prefix: String,
    file: String,
    seen: inout Set<String>,
    to settings: inout Settings
  ) throws(ConfigurationError) {
    guard case .scalar(let word) = key.value else {
      throw ConfigurationError(file, key, "a key must be a plain word")
    }
    let name = prefix + word
    guard seen.insert(name).inserted else {
      throw ConfigurationError(file, key, "\(name) is set twice")
    }
    if name == ConfigurationKey.credentials {
      try applyCredentials(value, file: file, to: &settings)
      return
    }
    if name == HookConfiguration.section {
      try HookConfiguration(
        file: file,
        credentials: Set(settings.credentials.keys),
        ofAccounts: settings.accounts.credentials.mapValues { Set($0.keys) }
      )
      .apply(value, to: &settings)
      return
    }
    if ReaderConfiguration.sections.contains(name) {
      try ReaderConfiguration.apply(name, value, file: file, to: &settings.reader)
      return
    }
    if name == ConfigurationKey.accountRights {
      try applyRights(value, file: file, to: &settings)
      return
    }
    if name == ConfigurationKey.retentionFolders {
      try applyRetentionFolders(value, file: file, to: &settings)
      return
    }
    let names = ConfigurationKey.all.map(\.name) + renamedKeys.keys
    // `store` is a value, and `store.upgrade` is written in full.
    let isSection = prefix.isEmpty && name != "store" && names.contains { $0.hasPrefix(name + ".") }
    if isSection {
      for (key, value) in try value.pairs(file, orElse: "\(name) takes 'key: value' lines") {
        try apply(key: key, value: value, prefix: name + ".", file: file, seen: &seen, to: &settings)
      }
      return
    }
    let current = renamedKeys[name] ?? name
    if current != name {
      settings.configurationWarnings.append(
        "\(file):\(key.line): \(name) is now called \(current); rename it"
      )
      guard seen.insert(current).inserted else {
        throw ConfigurationError(file, key, "\(current) is set twice, also by its former name \(name)")
      }
    }
    guard let known = ConfigurationKey.all.first(where: { $0.name == current }) else {
      let sections = Set(
        ConfigurationKey.all.compactMap { key in key.name.split(separator: ".").dropLast().first }
      )
      let near =
        ConfigurationKey.all.map(\.name) + sections.map(String.init)
        + [
          ConfigurationKey.credentials, ConfigurationKey.accountRights, ConfigurationKey.retentionFolders,
          HookConfiguration.section,
        ]
        + ReaderConfiguration.sections
      throw ConfigurationError(file, key, "unknown key \(name)" + NameHint.text(for: name, among: near))
    }
    switch value.value {
    case .scalar(let text) where !known.isList:
      try set(known, text, place: "\(file):\(value.line): \(name)", in: &settings)
    case .sequence(let nodes) where known.isList:
      for node in nodes {
        guard case .scalar(let text) = node.value else {
          throw ConfigurationError(file, node, "\(name) takes a list of plain values")
        }
        try set(known, text, place: "\(file):\(node.line): \(name)", in: &settings)
      }
    default:
      let kind = known.isList ? "a list" : "one plain value"
      throw ConfigurationError(file, value, "\(name) takes \(kind)")
    }
  }

  private func applyCredentials(
    _ node: YAMLNode,
    file: String,
    to settings: inout Settings
  ) throws(ConfigurationError) {
    for (key, value) in try node.pairs(file, orElse: "credentials takes 'name: secret' lines") {
      guard case .scalar(let name) = key.value else {
        throw ConfigurationError(file, key, "credentials takes plain values")
      }
      if case .mapping(let secrets) = value.value {
        settings.accounts.credentials[name] = try Self.credentials(secrets, file: file)
        continue
      }
      guard case .scalar(let secret) = value.value else {
        throw ConfigurationError(file, key, "credentials takes plain values")
      }
      settings.credentials[name] = secret
    }
  }

  /// Reads the credentials of one account.
  private static func credentials(
    _ pairs: [(YAMLNode, YAMLNode)],
    file: String
  ) throws(ConfigurationError) -> [String: String] {
    var found: [String: String] = [:]
    for (key, value) in pairs {
      guard case .scalar(let name) = key.value, case .scalar(let secret) = value.value else {
        throw ConfigurationError(file, key, "the credentials of an account are 'name: secret' lines")
      }
      found[name] = secret
    }
    return found
  }

  /// Applies a section such as `may: {anna: [exec, local]}`.
  private func applyRights(
    _ node: YAMLNode,
    file: String,
    to settings: inout Settings
  ) throws(ConfigurationError) {
    let form = "\(ConfigurationKey.accountRights) takes accounts, each with a list of rights"
    for (key, value) in try node.pairs(file, orElse: form) {
      guard case .scalar(let account) = key.value, case .sequence(let nodes) = value.value else {
        throw ConfigurationError(file, key, form)
      }
      for node in nodes {
        guard case .scalar(let word) = node.value, let right = AccountRight(rawValue: word) else {
          let names = AccountRight.allCases.map(\.rawValue).joined(separator: ", ")
          throw ConfigurationError(file, node, "the rights of accounts are \(names)")
        }
        settings.accounts.rights[account, default: []].insert(right)
      }
    }
  }

  /// Applies a section such as `folders: {News/Local: {keep_days: 30}}`.
  private func applyRetentionFolders(
    _ node: YAMLNode,
    file: String,
    to settings: inout Settings
  ) throws(ConfigurationError) {
    let name = ConfigurationKey.retentionFolders
    let form = "\(name) takes folders, each with keep_days or keep_items"
    for (key, value) in try node.pairs(file, orElse: form) {
      guard case .scalar(let folder) = key.value, case .mapping(let bounds) = value.value else {
        throw ConfigurationError(file, key, form)
      }
      let path = FolderPath.cleaned(folder) ?? ""
      settings.retention.folders[path] = RetentionPolicy()
      for (key, value) in bounds {
        guard case .scalar(let bound) = key.value, case .scalar(let text) = value.value else {
          throw ConfigurationError(file, key, "\(name) takes plain values")
        }
        let setting = ConfigurationKey("\(name).\(path).\(bound)") { settings, text in
          switch bound {
          case "keep_days":
            settings.retention.folders[path]?.days = try ConfigurationValue.integer(text, 1...100_000)
          case "keep_items":
            settings.retention.folders[path]?.items = try ConfigurationValue.integer(text, 1...100_000_000)
          default:
            throw ConfigurationValue.Problem(
              message: "is neither keep_days nor keep_items"
                + NameHint.text(for: bound, among: ["keep_days", "keep_items"])
            )
          }
        }
        try set(setting, text, place: "\(file):\(value.line): \(setting.name)", in: &settings)
      }
    }
  }

  /// Variables that a user may expect but that newsd does not read, each with its alternative.
  private static let withoutVariable = [
    ("NEWSD_STORE", "the store's file is named by NEWSD_DB"),
    ("NEWSD_RETENTION_FOLDERS", "retention.folders can be set in the configuration file only"),
    ("NEWSD_KEYS", "keys can be set in the configuration file only"),
    ("NEWSD_COLORS", "colors can be set in the configuration file only"),
    ("NEWSD_ACTIONS", "actions can be set in the configuration file only"),
    ("NEWSD_HOOKS", "hooks can be set in the configuration file only"),
    ("NEWSD_CREDENTIALS", "credentials can be set in the configuration file only"),
  ]

  /// Variables that newsd reads or sets besides those of keys.
  private static let otherVariables: Set<String> = [
    "NEWSD_ACCOUNT", "NEWSD_ALLOW_PRIVATE", "NEWSD_CONFIG", "NEWSD_DB", "NEWSD_EVENT", "NEWSD_HOOK",
    "NEWSD_IMPORT_PASSWORD",
    "NEWSD_KEY", "NEWSD_PAGER",
  ]

  /// The variables that begin with `NEWSD_` and that newsd does not know, in alphabetical order.
  private var unknownVariables: [String] {
    let named = environment.keys.filter {
      $0.hasPrefix(bytesOf: "NEWSD_") && !Self.otherVariables.contains($0)
    }
    guard !named.isEmpty else { return [] }
    var known = Set(ConfigurationKey.all.map(\.environmentName))
    known.formUnion(renamedKeys.keys.map { ConfigurationKey.environmentName(of: $0) })
    #if DEBUG
      known.insert("NEWSD_TRIAL_LAYOUT")
    #endif
    return named.filter { !known.contains($0) }.sorted()
  }

  /// A warning for each unknown variable that is not an error.
  var warnings: [String] {
    unknownVariables.map { "unknown environment variable \(MessageText.printable($0))" }
  }

  /// Refuses an unknown variable that is probably meant for newsd: its name begins with a section, or differs from a
  /// known name in one place.
  private func checkVariables() throws(ConfigurationError) {
    let unknown = unknownVariables
    guard !unknown.isEmpty else { return }
    let known = ConfigurationKey.all.map(\.environmentName) + Self.otherVariables.sorted()
    let sections = Set(
      ConfigurationKey.all.compactMap { key in
        key.name.cut(atFirst: ".").map { "NEWSD_\($0.before.uppercased())_" }
      }
    )
    for name in unknown {
      guard
        sections.contains(where: { name.hasPrefix(bytesOf: $0) })
          || known.contains(where: { EditDistance.isOneEdit(name, $0) })
      else { continue }
      throw ConfigurationError(
        message: "unknown environment variable \(MessageText.printable(name))"
          + NameHint.text(for: name, among: known)
      )
    }
  }

  private func applyEnvironment(to settings: inout Settings) throws(ConfigurationError) {
    for (name, advice) in Self.withoutVariable where environment[name] != nil {
      throw ConfigurationError(message: "newsd does not read \(name): \(advice)")
    }
    try checkVariables()
    for key in ConfigurationKey.all {
      // The store's variable is `NEWSD_DB`; other variables are named after their keys.
      guard key.name != "store", let text = variable(of: key, &settings) else { continue }
      if key.isList {
        for part in text.split(separator: ",") {
          try set(key, String(part), place: key.environmentName, in: &settings)
        }
      } else {
        try set(key, text, place: key.environmentName, in: &settings)
      }
    }
    if let text = environment["NEWSD_ALLOW_PRIVATE"] {
      let key = ConfigurationKey("network.allow_private") {
        $0.network.allowsPrivate = try ConfigurationValue.boolean($1)
      }
      try set(key, text, place: "NEWSD_ALLOW_PRIVATE", in: &settings)
    }
  }

  /// The value of a key's variable, or of the variable of its former name.
  private func variable(of key: ConfigurationKey, _ settings: inout Settings) -> String? {
    if let text = environment[key.environmentName] { return text }
    for former in renamedKeys.filter({ $0.value == key.name }).keys.sorted() {
      let name = ConfigurationKey.environmentName(of: former)
      guard let text = environment[name] else { continue }
      settings.configurationWarnings.append("\(name) is now called \(key.environmentName); rename it")
      return text
    }
    return nil
  }

  private func set(
    _ key: ConfigurationKey,
    _ text: String,
    place: String,
    in settings: inout Settings
  ) throws(ConfigurationError) {
    do {
      try key.set(&settings, text)
      settings.configured[key.name, default: ""] +=
        (settings.configured[key.name] == nil ? "" : ", ") + key.shown(text)
    } catch let problem as ConfigurationValue.Problem {
      throw ConfigurationError(message: "\(place) \(problem.message)")
    } catch {
      throw ConfigurationError(message: "\(place): \(error)")
    }
  }

  private func check(_ settings: Settings) throws(ConfigurationError) {
    guard settings.poll.minimumInterval <= settings.poll.maximumInterval else {
      throw ConfigurationError(message: "poll.minimum_interval is longer than poll.maximum_interval")
    }
    try checkLogIn(settings)
    guard let key = settings.accounts.key else {
      let accounts = settings.accounts
      let named = [Array(accounts.credentials.keys), Array(accounts.hooks.keys), Array(accounts.rights.keys)]
      if let name = named.lazy.compactMap({ $0.min() }).first {
        throw ConfigurationError(
          message:
            "credentials, hooks or rights belong to the account '\(name)', but neither accounts.dir nor accounts.store is set"
        )
      }
      return
    }
    try checkAccounts(settings, key)
  }

  /// Refuses ways to log in that cannot work or are not safe.
  private func checkLogIn(_ settings: Settings) throws(ConfigurationError) {
    let web = settings.web
    if web.ways.contains(.header), web.trustedProxies.isEmpty, let listen = web.listen, listen != "systemd",
      !listen.hasPrefix(bytesOf: "unix:")
    {
      throw ConfigurationError(
        message:
          "web.log_in has header, but newsd listens on TCP and web.trusted_proxies is not set; name the "
          + "reverse proxy there, or set web.listen to unix:/PATH"
      )
    }
    if web.ways.contains(.oidc), settings.openID.issuer == nil || settings.openID.clientID == nil {
      throw ConfigurationError(
        message: "web.log_in has oidc, but oidc.issuer or oidc.client_id is not set; set both"
      )
    }
    if settings.openID.createsAccounts, settings.accounts.key == nil {
      throw ConfigurationError(
        message: "oidc.creates_accounts needs accounts.dir or accounts.store; set one, or remove it"
      )
    }
  }

  /// Refuses settings that are of one store and one account.
  private func checkAccounts(_ settings: Settings, _ key: String) throws(ConfigurationError) {
    if let server = settings.accounts.server {
      guard settings.accounts.directory == nil else {
        throw ConfigurationError(message: "accounts.dir and accounts.store exclude each other; remove one")
      }
      if let problem = Settings.problem(ofAccountsAt: server) {
        throw ConfigurationError(message: "accounts.store: \(problem)")
      }
    }
    let refused: [(key: String, isSet: Bool, remedy: String)] = [
      (
        "store", !settings.store.isEmpty,
        "remove it; 'newsd accounts add NAME --from STORE' makes an account of that store"
      ),
      ("web.user", settings.web.user != nil, "remove it; the name of each account is its user name"),
      (
        "web.password_file", settings.web.passwordFile != nil,
        "remove it; 'newsd --account NAME web password' sets the password of an account"
      ),
      (
        "web.metrics: password", settings.web.metrics == .password,
        "set it to local, because no account may read the figures of the others"
      ),
      (
        "websub.callback", settings.webSub.callback != nil,
        "remove it; accounts are polled, and hubs push to a daemon with one store only"
      ),
    ]
    for (other, isSet, remedy) in refused where isSet {
      throw ConfigurationError(message: "\(other) cannot be set together with \(key); \(remedy)")
    }
    if environment["NEWSD_DB"]?.isEmpty == false {
      throw ConfigurationError(
        message:
          "NEWSD_DB cannot be set together with \(key); set NEWSD_ACCOUNT to the name of an account"
      )
    }
  }

  /// True if the user chose the store; false: it is at its default path.
  func isStoreNamed(flag: String?, settings: Settings) -> Bool {
    flag != nil || environment["NEWSD_DB"]?.isEmpty == false || !settings.store.isEmpty
  }

  /// True if the store is the service's, because root named none and has none of its own.
  func usesServiceStore(flag: String?, settings: Settings) -> Bool {
    isRootWithoutName(flag: flag, settings: settings)
      && !hasOwnStore(settings) && access(serviceStore, F_OK) == 0
  }

  /// What root is to do first, who would otherwise make a store beside that of the service: the service is installed, but
  /// has not made its store yet. Nil: newsd may make the store.
  func serviceAdvice(flag: String?, settings: Settings) -> String? {
    guard isRootWithoutName(flag: flag, settings: settings), !hasOwnStore(settings),
      access(serviceStore, F_OK) != 0, access(systemdFolder, F_OK) == 0,
      serviceUnits.contains(where: { access($0, F_OK) == 0 })
    else { return nil }
    return "Start the service first, which makes \(serviceStore): 'systemctl enable --now newsd'; "
      + "or name another store with --db"
  }

  /// A notice for root, who may take one store for the other; nil: there is nothing to notice.
  func storeNote(flag: String?, settings: Settings) -> String? {
    guard isRootWithoutName(flag: flag, settings: settings), access(serviceStore, F_OK) == 0
    else { return nil }
    return hasOwnStore(settings)
      ? "using root's own store \(ownStorePath(flag: nil, settings: settings)); "
        + "for the service's, name \(serviceStore) with --db"
      : "using the service's store \(serviceStore); to use another, name it with --db"
  }

  /// True for root outside of a service, who has named no store.
  private func isRootWithoutName(flag: String?, settings: Settings) -> Bool {
    isRoot && !isStoreNamed(flag: flag, settings: settings)
      && environment["STATE_DIRECTORY"]?.isEmpty != false
  }

  private func hasOwnStore(_ settings: Settings) -> Bool {
    access(ownStorePath(flag: nil, settings: settings), F_OK) == 0
  }

  /// Path of the store: `--db`, else `NEWSD_DB`, else the configuration, else a default under `$STATE_DIRECTORY`,
  /// `$XDG_DATA_HOME` or the home directory, or, for root without a file there, the service's.
  func storePath(flag: String?, settings: Settings) -> String {
    usesServiceStore(flag: flag, settings: settings)
      ? serviceStore : ownStorePath(flag: flag, settings: settings)
  }

  private func ownStorePath(flag: String?, settings: Settings) -> String {
    func set(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let flag { return flag }
    if let path = set("NEWSD_DB") { return path }
    if !settings.store.isEmpty {
      return settings.store.hasPrefix("~/")
        ? (set("HOME") ?? "") + settings.store.dropFirst() : settings.store
    }
    if let directory = set("STATE_DIRECTORY") {
      // systemd joins several directories with colons (systemd.exec(5)).
      return directory.prefix { $0 != ":" } + "/newsd.db"
    }
    if let directory = set("XDG_DATA_HOME") { return directory + "/newsd/newsd.db" }
    return (set("HOME") ?? "") + "/.local/share/newsd/newsd.db"
  }
}
