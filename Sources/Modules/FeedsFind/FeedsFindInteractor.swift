public import NewsCore
import NewsToolbox

/// Looks up the feeds at an address, so that one can be chosen. Stores nothing.
public struct FeedsFindInteractor: Interactor {
  private let adder: FeedAdder
  private let presenter: FeedsFindPresenter
  private let isListedOnly: Bool

  /// `isListedOnly` is for addresses that no user types: only public addresses and those of `network.allow` are asked.
  public init(adder: FeedAdder, times: TimeDisplay, isListedOnly: Bool = false) {
    self.adder = adder
    self.isListedOnly = isListedOnly
    presenter = FeedsFindPresenter(times: times)
  }

  /// `address` is that of a feed or a page, or an account as `@user@host`.
  public func respond(to address: String, emit: @escaping Emit<FeedsFindViewModel>) async throws {
    try emit(.loading(Progress("looking")))
    try emit(presenter.present(try await adder.candidates(address, isListedOnly: isListedOnly)))
  }
}

/// Turns the feeds found into what is shown of them.
struct FeedsFindPresenter {
  let times: TimeDisplay
  /// Number of items shown of a feed.
  private static let shown = 3
  /// Seconds in a week.
  private static let week: Int64 = 7 * 86_400

  func present(_ candidates: [FeedCandidate]) -> Container<FeedsFindViewModel> {
    .ready(FeedsFindViewModel(feeds: candidates.map(found)))
  }

  private func found(_ candidate: FeedCandidate) -> FoundFeed {
    let title = [candidate.feed?.title, candidate.pageTitle].compactMap { $0 }.first { !$0.isEmpty }
    let items = (candidate.feed?.items ?? []).enumerated().sorted { a, b in
      // Items without a time keep the feed's order, after the others.
      (b.element.published?.seconds ?? .min, a.offset) < (a.element.published?.seconds ?? .min, b.offset)
    }
    return FoundFeed(
      url: candidate.url,
      title: DisplayText(line: title ?? candidate.url),
      subscribed: candidate.subscribed?.id,
      problem: candidate.problem.map { DisplayText(line: $0) },
      rate: candidate.feed.map { DisplayText(line: rate($0.items)) },
      items: items.prefix(Self.shown).map { entry in
        let item = entry.element
        return FoundFeed.Item(
          title: DisplayText(line: item.title ?? item.contentText ?? item.url ?? "an item without a title"),
          time: item.published
        )
      },
      icon: candidate.icon,
      isLocal: candidate.isLocal
    )
  }

  /// How often the feed publishes, by the times in its document.
  private func rate(_ items: [ParsedItem]) -> String {
    guard !items.isEmpty else { return "no items" }
    let dated = items.compactMap(\.published).filter { $0 <= times.now }
    guard let oldest = dated.min() else { return "\(Plural.of(items.count, "item")) without times" }
    // A feed that has stopped publishes less with every week.
    let tenths = Int64(dated.count) * 10 * Self.week / max(Self.week, times.now - oldest)
    guard tenths >= 10 else { return tenths < 3 ? "less than one item a month" : "less than one item a week" }
    let count = (tenths + 5) / 10
    return "about \(Plural.of(Int(count), "item")) a week"
  }
}

/// The feeds found at an address.
public struct FeedsFindViewModel: ScreenContent {
  public var feeds: [FoundFeed]
  public var rowCount: Int { feeds.count }
}

/// A feed that can be subscribed to.
public struct FoundFeed: Sendable {
  /// An item of the feed.
  public struct Item: Sendable {
    public var title: DisplayText
    public var time: Timestamp?
  }

  public var url: String
  public var title: DisplayText
  /// The feed, if it is subscribed to already.
  public var subscribed: Feed.ID?
  /// Why its document could not be read.
  public var problem: DisplayText?
  /// How often it publishes.
  public var rate: DisplayText?
  /// Its newest items.
  public var items: [Item]
  public var icon: FeedCandidate.Icon?
  /// True: its address is not public, and the user has typed its origin.
  public var isLocal: Bool
}
