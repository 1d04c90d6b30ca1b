import Modules
import NewsCore
import Synchronization

/// Runs what may wait: asks modules and tells the reader's thread what they answer.
struct ReaderWorker: Sendable {
  let modules: any ReaderModules
  let inbox: ReaderInbox

  /// Runs effects side by side until the stream ends or the task is cancelled.
  func run(_ effects: AsyncStream<ReaderEffect>) async {
    await withDiscardingTaskGroup { group in
      for await effect in effects {
        group.addTask { await perform(effect) }
      }
      group.cancelAll()
    }
  }

  /// Writes marks one after the other.
  func write(_ marks: AsyncStream<MarkRequest>) async {
    for await request in marks {
      await ask({ try modules.mark() }, request.route) { container in
        if container.isLast { inbox.post(.marked(container, request)) }
      }
    }
  }

  /// Tells of changes to the store, by whichever process, until the task is cancelled.
  func watch() async {
    guard let module = try? modules.changes() else { return }
    let place = Mutex<Int64?>(nil)
    // Many changes at once are not listed: the screens are read again.
    let limit = 256
    while !Task.isCancelled {
      let start = place.withLock { $0 }
      let found = Mutex<[LogEntry]>([])
      try? await module.run(ChangesRoute(after: start ?? .max, limit: start == nil ? 0 : limit)) {
        container in
        guard let content = container.content else { return }
        found.withLock { $0 += content.records }
        if let head = content.head { place.withLock { $0 = max($0 ?? 0, head) } }
      }
      let entries = found.withLock { $0 }
      if start != nil, !entries.isEmpty {
        inbox.post(.changed(StoreChanges(entries: entries.count < limit ? entries : nil)))
      }
      do { try await Task.sleep(for: .milliseconds(400)) } catch { return }
    }
  }

  private func perform(_ effect: ReaderEffect) async {
    switch effect {
    case .load(let id, let generation, let request): await load(id, generation, request)
    case .wake(let id, let generation, let seconds):
      guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
      inbox.post(.due(id, generation: generation))
    case .mark, .browse, .copy, .redraw, .suspend: break
    }
  }

  private func load(_ id: ScreenID, _ generation: Int, _ request: LoadRequest) async {
    @Sendable func post(_ content: LoadedContent) { inbox.post(.loaded(id, generation: generation, content)) }
    switch request {
    case .subscriptions:
      await ask({ try modules.subscriptions() }, .list()) { post(.subscriptions($0)) }
    case .headlines(let source, let place, let remembers):
      let source = place.isEverywhere ? PagePlace.everywhere : source.at(place)
      switch source {
      case .list(let route):
        await ask({ try modules.list() }, route) { post(.headlines($0.map(HeadlineWindow.init), place)) }
      case .search(let route):
        await ask({ try modules.search(remembers: remembers) }, route) {
          post(.headlines($0.map(HeadlineWindow.init), place))
        }
      }
    case .item(let item, let marksRead):
      await ask({ try modules.item(marksRead: marksRead) }, [item]) { post(.item($0)) }
    }
  }

  /// Runs a module; what keeps it from being made is its failure.
  private func ask<Request: Sendable, Content: ScreenContent>(
    _ make: () throws -> any Interactor<Request, Content>,
    _ request: Request,
    _ take: @escaping @Sendable (Container<Content>) -> Void
  ) async {
    do {
      try await make().run(request, emit: take)
    } catch {
      let message = UserMessage(reporting: error)
      take(.failed(message ?? UserMessage(code: .internalError, text: "\(error)")))
    }
  }
}

extension PagePlace {
  /// True: all feeds are looked through.
  fileprivate var isEverywhere: Bool {
    if case .unread(let seek) = self { seek.isEverywhere } else { false }
  }

  /// The newest unread item of all.
  fileprivate static var everywhere: HeadlineSource {
    .list(ListRoute(filter: ItemFilter(isRead: false)).following(nil, size: 1))
  }
}
