import NewsNetwork
import NewsCore

extension Settings {
  /// What the network adapter wants to know.
  func networkConfiguration(_ environment: [String: String], _ program: String) -> NetworkConfiguration {
    let agent = network.userAgent ?? "\(program) (+https://newsd.example/publishers)"
    var configuration = NetworkConfiguration(userAgent: agent)
    configuration.concurrency = network.concurrency
    configuration.requestsPerSite = network.perSite
    configuration.spacing = network.spacing
    // The other half is for what bodies turn into.
    configuration.bodyBudget = network.bodyBudget / 2
    configuration.allowsPrivateAddresses = network.allowsPrivate
    configuration.allowedDestinations = network.allowedAddresses.compactMap { AllowedDestination($0) }
    configuration.proxy = network.proxy
    configuration.environment = environment
    configuration.credentials = credentials
    configuration.certificateAuthority = network.certificateAuthority
    return configuration
  }

  /// What the poll policy wants to know.
  var pollConfiguration: PollPolicy.Configuration {
    var configuration = PollPolicy.Configuration()
    configuration.minimumInterval = poll.minimumInterval
    configuration.maximumInterval = poll.maximumInterval
    configuration.maximumBackoff = poll.maximumBackoff
    configuration.adoptionPolls = poll.moveAfterPolls
    configuration.adoptionAge = poll.moveAfter
    configuration.defaultInterval = min(
      max(configuration.defaultInterval, poll.minimumInterval),
      poll.maximumInterval
    )
    return configuration
  }
}
