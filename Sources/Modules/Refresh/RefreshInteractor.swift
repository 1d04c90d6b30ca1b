public import NewsCore
import Synchronization

/// Refreshes feeds and tells how it goes: a container for every feed that ends, then the sum.
public struct RefreshInteractor: Sendable {
  /// Runs the use case, telling what happens.
  public typealias Source =
    @Sendable (@escaping @Sendable (RefreshEvent) -> Void) async throws -> RefreshSummary

  private let feeds: any FeedReading
  private let refresher: Refresher

  public init(feeds: any FeedReading, refresher: Refresher) {
    self.feeds = feeds
    self.refresher = refresher
  }

  /// Refreshes what the route names.
  ///
  /// - Parameters:
  ///   - route: All feeds, those due, or some by name.
  ///   - emit: Gets every container.
  /// - Throws: `StoreError` when the store cannot say which feeds there are; what `emit` throws for the last container.
  public func fetch(_ route: FetchRoute, emit: @escaping Emit<RefreshViewModel>) async throws {
    var ids: [Feed.ID] = []
    for name in route.feeds {
      let feed = try await feeds.feed(named: name)
      guard !feed.url.hasPrefix(ItemIngestion.scheme) else {
        throw UserMessage(
          code: .usage,
          text: "\(feed.title) is filled by 'newsd ingest'; there is nothing to fetch."
        )
      }
      ids.append(feed.id)
    }
    let named = ids
    try await Self.run(emit: emit) { report in
      named.isEmpty
        ? try await refresher.refreshAll(route.onlyDue ? .due : .all, report: report)
        : await refresher.refresh(named: named, report: report)
    }
  }

  /// Refreshes a store from recorded exchanges.
  ///
  /// - Parameters:
  ///   - replay: The use case with its recordings.
  ///   - emit: Gets every container.
  /// - Throws: As `fetch`.
  public static func replay(_ replay: Replay, emit: @escaping Emit<RefreshViewModel>) async throws {
    try await run(emit: emit) { try await replay.run(report: $0) }
  }

  private static func run(emit: @escaping Emit<RefreshViewModel>, _ source: Source) async throws {
    let presenter = Mutex(RefreshPresenter(total: 0))
    let start = ContinuousClock.now
    let summary = try await source { event in
      switch event {
      case .began(let total): presenter.withLock { $0 = RefreshPresenter(total: total) }
      case .finished(let outcome):
        let container = presenter.withLock {
          $0.present(FeedRefreshOutcome(outcome), elapsed: seconds(since: start))
        }
        // A reader that has gone is noticed at the end; the refresh itself goes on.
        try? emit(container)
      case .started, .networkDown, .storeFailed: break
      }
    }
    try emit(
      presenter.withLock {
        summary.storeError.map($0.present)
          ?? $0.finish(elapsed: seconds(since: start), networkIsDown: summary.networkIsDown)
      }
    )
  }

  private static func seconds(since start: ContinuousClock.Instant) -> Double {
    let (seconds, attoseconds) = start.duration(to: .now).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}

extension FeedRefreshOutcome {
  init(_ outcome: RefreshOutcome) {
    let result: Result =
      switch outcome.result {
      case .unchanged: .unchanged
      case .updated(let new, let changed): .updated(new: new.count, changed: changed.count)
      case .failed(let failure): .failed(failure.message)
      case .skipped(let reason): .skipped(reason.description)
      }
    self.init(
      feedTitle: outcome.feed?.title ?? "feed \(outcome.feedID.rawValue)",
      result: result,
      notes: outcome.notes,
      notices: outcome.notices
    )
  }
}
