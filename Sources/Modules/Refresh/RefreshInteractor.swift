public import NewsCore
import Synchronization

/// Refreshes feeds. Emits a container for each finished feed, and one with the totals at the end.
public struct RefreshInteractor: Interactor {
  private let feeds: any FeedKeeping
  private let refresher: Refresher
  private let recorder: FetchRecorder?
  private let articles: ArticleQueue?
  private let observer: @Sendable (RefreshEvent) -> Void

  /// The recorder and the queue of articles are used if the route asks for them.
  public init(
    feeds: any FeedKeeping,
    refresher: Refresher,
    recorder: FetchRecorder? = nil,
    articles: ArticleQueue? = nil,
    observer: @escaping @Sendable (RefreshEvent) -> Void = { _ in }
  ) {
    self.feeds = feeds
    self.refresher = refresher
    self.recorder = recorder
    self.articles = articles
    self.observer = observer
  }

  /// Refreshes the feeds that the route names, else all feeds or all that are due.
  public func respond(to route: RefreshRoute, emit: @escaping Emit<RefreshViewModel>) async throws {
    var ids: [Feed.ID] = []
    var urls: [Feed.ID: String] = [:]
    for name in route.feeds {
      let feed = try await feeds.feed(named: name)
      guard !feed.isIngested else {
        throw UserMessage(
          code: .usage,
          text: "there is nothing to fetch for '\(feed.title)'; 'newsd ingest' fills it"
        )
      }
      ids.append(feed.id)
      urls[feed.id] = feed.url
    }
    let (named, known) = (ids, urls)
    let observer = observer
    try await RefreshEventEmitter(
      emit: emit,
      recorder: recorder,
      directory: route.record,
      articles: articles
    ).run { present in
      let report = { @Sendable (event: RefreshEvent) in
        observer(event)
        present(event)
      }
      return named.isEmpty
        ? try await refresher.refreshAll(route.onlyDue ? .due : .all, report: report)
        : await refresher.refresh(named: named, at: known, report: report)
    }
  }
}

/// Turns the events of a running refresh into containers.
struct RefreshEventEmitter: Sendable {
  /// Runs the use case and reports its events.
  typealias Source = (@escaping @Sendable (RefreshEvent) -> Void) async throws -> RefreshSummary

  let emit: Emit<RefreshViewModel>
  var recorder: FetchRecorder?
  var directory: String?
  var articles: ArticleQueue?

  func run(_ source: Source) async throws {
    let presenter = Mutex(RefreshPresenter(total: 0))
    let start = ContinuousClock.now
    let emit = emit
    let summary = try await source { event in
      switch event {
      case .began(let total): presenter.withLock { $0 = RefreshPresenter(total: total) }
      case .finished(let outcome):
        let container = presenter.withLock { $0.present(outcome, elapsed: Self.seconds(since: start)) }
        // Ignore a closed output here: the refresh continues, and the last container reports the error.
        try? emit(container)
      case .started, .networkDown, .storeFailed, .storeRecovered, .clockSet, .committed: break
      }
    }
    let pages = try await articles?.drain()
    let last = presenter.withLock { presenter in
      if let error = summary.storeError { return presenter.present(UserMessage(error)) }
      if let recorder, let directory {
        if let error = recorder.error {
          return presenter.present(UserMessage(code: .io, text: error.message))
        }
        presenter.noteRecorded(recorder.count, in: directory)
      }
      if let pages { presenter.read(pages) }
      return presenter.finish(elapsed: Self.seconds(since: start), networkIsDown: summary.networkIsDown)
    }
    try emit(last)
  }

  private static func seconds(since start: ContinuousClock.Instant) -> Double {
    let (seconds, attoseconds) = start.duration(to: .now).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
