import NewsNetwork
import NewsCore

extension Settings {
  /// The network adapter's configuration.
  func networkConfiguration(_ environment: [String: String], _ program: String) -> NetworkConfiguration {
    var configuration = NetworkConfiguration(userAgent: network.userAgent ?? program)
    configuration.concurrency = network.concurrency
    configuration.requestsPerSite = network.perSite
    configuration.spacing = network.spacing
    // The rest is reserved for parsed feeds.
    configuration.bodyBudget = network.bodyBudget / 2
    configuration.allowsPrivateAddresses = network.allowsPrivate
    configuration.allowedDestinations = network.allowedAddresses.compactMap { AllowedDestination($0) }
    configuration.proxy = network.proxy
    configuration.environment = environment
    configuration.credentials = credentials
    configuration.certificateAuthority = network.certificateAuthority
    return configuration
  }

  /// The poll policy's configuration.
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
