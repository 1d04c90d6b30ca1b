import NewsNetwork
import NewsCore
import NewsFiles
import NewsHTTP
import NewsPostgres
import NewsToolbox

extension Settings {
  /// The path beside which processes of this machine keep their lock files: that of the store, or, for a store on a
  /// server, one in newsd's own folder.
  func lockPath(_ environment: [String: String]) -> String {
    if case .file(let path) = StorePlace(store) { return path }
    func set(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let folder: String
    if let directory = set("STATE_DIRECTORY") {
      folder = String(directory.prefix { $0 != ":" })
    } else {
      folder = (set("XDG_DATA_HOME") ?? (set("HOME") ?? "") + "/.local/share") + "/newsd"
    }
    FileFolders.create(folder)
    return folder + "/postgresql-" + FNV1a<UInt64>(StoreURI.redacted(store).utf8).value.hexDigits(16)
  }

  /// What the configuration says of hooks. Mail is sent by a program, so an account needs the right to run programs.
  var hookSource: HookRegistry.Source {
    var source = HookRegistry.Source()
    source.configured = HookSet(configured: hooks, secrets: credentials)
    let mayMail = account == nil || accountRights.contains(.exec)
    source.presets = { [presets = hookPresets] in
      presets().filter { preset in
        if case .mail = preset.hook.target { mayMail } else { true }
      }
    }
    source.mayReachLocal = accountRights.contains(.local)
    return source
  }

  /// The path beside which processes of this machine keep the lock files that concern all accounts; nil: there is one store.
  func accountsLockPath(_ environment: [String: String]) -> String? {
    var shared = self
    guard let place = accounts.directory.map({ $0 + "/newsd" }) ?? accounts.server else { return nil }
    shared.store = place
    return shared.lockPath(environment)
  }

  /// The site for set-up addresses that a command prints.
  var setUpSite: WebSite {
    web.url ?? WebSite(host: web.listen.flatMap { ListenSocket.visitedHost(of: $0) } ?? "localhost")
  }

  /// The connections that the web server may have: `web.connections`, or fewer if the limit on open files is low. 0
  /// without a web server.
  package var servedConnections: Int {
    guard web.listen != nil else { return 0 }
    return TransferLimits.connections(
      web.connections,
      beside: network.concurrency,
      limit: DescriptorLimit.attainable - storeDescriptors
    )
  }

  private var storeDescriptors: Int { accounts.key == nil ? 0 : accounts.descriptors.all() }

  /// The descriptors that transfers leave to the web server and the stores of accounts.
  var otherDescriptors: Int { servedConnections + storeDescriptors }

  /// The network adapter's configuration.
  func networkConfiguration(_ environment: [String: String], _ program: String) -> NetworkConfiguration {
    var configuration = NetworkConfiguration(userAgent: network.userAgent ?? program)
    configuration.concurrency = network.concurrency
    configuration.otherDescriptors = otherDescriptors
    configuration.requestsPerSite = network.perSite
    configuration.spacing = network.spacing
    // The rest is reserved for parsed feeds.
    configuration.bodyBudget = network.bodyBudget / 2
    configuration.allowsPrivateAddresses = network.allowsPrivate
    configuration.allowedDestinations = network.allowedAddresses.compactMap { AllowedDestination($0) }
    configuration.proxy = network.proxy
    configuration.environment = environment
    configuration.credentials = credentials
    // The names that `AccountFetcher` asks for.
    for (account, secrets) in accounts.credentials {
      for (name, secret) in secrets { configuration.credentials["\(account)/\(name)"] = secret }
    }
    configuration.certificateAuthority = network.certificateAuthority
    return configuration
  }

  /// The poll policy's configuration.
  var pollConfiguration: PollPolicy.Configuration {
    var configuration = poll
    configuration.defaultInterval = min(
      max(poll.defaultInterval, poll.minimumInterval),
      poll.maximumInterval
    )
    return configuration
  }
}

extension Settings.Accounts {
  /// What the stores have of the limit on open files.
  var descriptors: StoreDescriptors { directory != nil ? .folder : .server }
}
