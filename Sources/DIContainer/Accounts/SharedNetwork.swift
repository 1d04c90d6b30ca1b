public import NewsCore
import NewsNetwork
import NewsPostgres

/// The network client, the cooldowns of hosts and the memory for feeds and hooks. The accounts of a process share them, so that its
/// limits on transfers and memory hold for all accounts together.
public final class SharedNetwork: Sendable {
  let client: Lazy<CurlFetcher>
  let cooldowns = HostCooldowns()
  let memory: SharedMemory
  /// Has each address asked once for all accounts; nil: this process works for one of them.
  let polls: SharedPolls?
  /// Has the icon of each feed looked up once for all accounts.
  let icons: SharedIcons
  /// Has each address asked by one node for all accounts; nil: there is one node.
  let requests: RequestClaims?

  /// `polls`, `icons` and `memory` are those of the network before a reload. `sites` makes the limits of sites that processes share; called when the client is first needed.
  init(
    _ settings: Settings,
    _ environment: [String: String],
    _ program: String,
    _ clock: any WallClock,
    polls: SharedPolls? = nil,
    icons: SharedIcons? = nil,
    memory: SharedMemory? = nil,
    requests: RequestClaims? = nil,
    sites: @escaping @Sendable () -> any SiteSharing
  ) {
    self.polls = polls
    self.icons = icons ?? SharedIcons()
    self.memory = memory ?? SharedMemory(settings.network.bodyBudget)
    self.requests = requests
    client = Lazy { [cooldowns] in
      var configuration = settings.networkConfiguration(environment, program)
      configuration.cooldowns = cooldowns
      configuration.clock = clock
      configuration.sites = sites()
      return CurlFetcher(configuration: configuration)
    }
  }

  /// Holds back the polls at the start of the process.
  public var pollStart: PollStart? { polls?.start }

  /// Ends all transfers.
  public func shutdown() async { await client.existing?.shutdown() }
}

/// The memory of a process, of which one account must leave some to the others.
struct SharedMemory: Sendable {
  /// For parsed feeds.
  let feeds: MemoryBudget
  /// For large deliveries of hooks, while their bodies are written and sent.
  let hooks: MemoryBudget

  /// `budget` is the memory for documents in bytes.
  init(_ budget: Int) {
    feeds = MemoryBudget(documents: budget)
    hooks = MemoryBudget(limit: 2 * budget)
  }
}
