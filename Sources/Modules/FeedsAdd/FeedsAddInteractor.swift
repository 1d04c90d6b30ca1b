public import NewsCore
import NewsToolbox

/// Subscribes to a feed, or to the feed that a web page links to.
public struct FeedsAddInteractor: Interactor {
  private let adder: FeedAdder
  private let presenter = FeedsAddPresenter()

  public init(adder: FeedAdder) {
    self.adder = adder
  }

  public func respond(to route: FeedsAddRoute, emit: @escaping Emit<FeedsAddViewModel>) async throws {
    try emit(.loading(Progress("asking")))
    try emit(presenter.present(try await adder.add(route.address, route.options)))
  }
}

/// Reports the added feed and its warnings, or the feeds to choose from.
struct FeedsAddPresenter {
  func present(_ addition: FeedAddition) -> Container<FeedsAddViewModel> {
    switch addition {
    case .added(let feed, let items):
      return .ready(added(feed, items: items, warnings: warnings(feed)))
    case .addedUnreached(let feed, let failure):
      let warning = DisplayText(line: "added, but it could not be reached: \(failure.message)")
      return .ready(added(feed, items: 0, warnings: [warning]))
    case .choices(let page, let feeds):
      let lines = feeds.enumerated().map { index, feed in
        DisplayText(line: "\(index + 1)  \(feed.url)  \(feed.title ?? "")  \(feed.mimeType ?? "")").string
      }
      let text = "\(page) has \(feeds.count) feeds; choose one with --pick N:"
      return .failed(
        UserMessage(code: .badData, text: ([text] + lines).joined(separator: "\n")),
        keeping: FeedsAddViewModel(choices: feeds)
      )
    }
  }

  private func added(_ feed: Feed, items: Int, warnings: [DisplayText]) -> FeedsAddViewModel {
    let count = Plural.of(items, "item")
    let note = DisplayText(line: "added '\(feed.title)' (\(feed.id.rawValue)) with \(count)")
    return FeedsAddViewModel(feed: feed, notes: [note], warnings: warnings)
  }

  private func warnings(_ feed: Feed) -> [DisplayText] {
    var warnings: [String] = []
    if feed.settings.secretsFor != nil {
      warnings.append(
        "\(WebAddress.redacted(feed.url)) has another origin: the credential and headers given are not sent there"
      )
    }
    if feed.settings.verifiesTLS == false {
      warnings.append("the certificates of this feed are not verified")
    }
    return warnings.map { DisplayText(line: $0) }
  }
}

/// The added feed, or the feeds of a web page to choose from.
public struct FeedsAddViewModel: ScreenContent {
  public var feed: Feed?
  /// The choices; their numbers count from 1.
  public var choices: [DiscoveredFeed] = []
  public var notes: [DisplayText] = []
  public var warnings: [DisplayText] = []
  public var rowCount: Int { feed == nil ? choices.count : 1 }
}
