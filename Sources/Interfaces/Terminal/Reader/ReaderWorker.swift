import Modules
import NewsCore
import NewsText
import Synchronization

/// Runs slow work in tasks: runs modules and posts their containers to the reader's thread.
struct ReaderWorker: Sendable {
  let modules: any ReaderModules
  let commands: any ReaderCommands
  let options: ReaderOptions
  let inbox: ReaderInbox

  /// Runs effects concurrently until the stream ends or the task is cancelled.
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
    for await request in marks { await write(request) }
  }

  func write(_ request: MarkRequest) async {
    await ask({ try modules.mark() }, request.route) { container in
      if container.isLast { inbox.post(.marked(container, request)) }
    }
  }

  /// Posts changes of the store, by this or another process, until the task is cancelled.
  func watch() async {
    guard let module = try? modules.changes(), let waiter = try? modules.changeWaiter() else { return }
    var place: Int64?
    var revision: Int64?
    while !Task.isCancelled {
      // Read the change log only if the revision differs. A change made later is noticed in the next round.
      if let current = try? await modules.revision(), current != revision,
        let (changes, head) = await changes(of: module, after: place)
      {
        // The changes may have no entries: the log does not list the results of polls.
        if place != nil { inbox.post(.changed(changes)) }
        place = max(place ?? 0, head)
        revision = current
      }
      do { try await waiter.wait() } catch { return }
    }
  }

  /// Maximum number of listed changes; with more, screens read their content again.
  private static let longest: Int64 = 256

  /// Reads the change log. Without a `place`, only the end of the log is read. Returns nil if the log could
  /// not be read.
  private func changes(
    of module: any Interactor<ChangesRequest, ChangesViewModel>,
    after place: Int64?
  ) async -> (StoreChanges, head: Int64)? {
    guard let (_, head) = await entries(of: module, ChangesRequest(after: .max, limit: 0)) else { return nil }
    guard let place, head > place else { return (StoreChanges(entries: []), head) }
    // Do not read thousands of entries, for example after a fetch: screens read their content again instead.
    guard head - place < Self.longest else { return (StoreChanges(entries: nil), head) }
    let route = ChangesRequest(after: place, limit: Int(Self.longest))
    guard let (found, end) = await entries(of: module, route) else { return nil }
    return (StoreChanges(entries: found), end)
  }

  private func entries(
    of module: any Interactor<ChangesRequest, ChangesViewModel>,
    _ route: ChangesRequest
  ) async -> ([LogEntry], head: Int64)? {
    let found = Mutex<(entries: [LogEntry], head: Int64?)>(([], nil))
    try? await module.run(route) { container in
      guard let content = container.content else { return }
      found.withLock { found in
        found.entries += content.records
        found.head = content.head ?? found.head
      }
    }
    let (entries, head) = found.withLock { $0 }
    return head.map { (entries, $0) }
  }

  func perform(_ effect: ReaderEffect) async {
    switch effect {
    case .load(let id, let generation, let request): await load(id, generation, request)
    case .wake(let id, let generation, let seconds):
      guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
      inbox.post(.due(id, generation: generation))
    case .refresh(let route): await ask({ try modules.refresh() }, route) { inbox.post(.refreshing($0)) }
    case .add(let route): await ask({ try modules.feedsAdd() }, route) { inbox.post(.added($0, route)) }
    case .edit(let route): await ask({ try modules.subscriptions() }, route) { inbox.post(.edited($0)) }
    case .save(let query, let name):
      let route = SavedSearchesRequest.save(query: query, name: name)
      await keep(route, DisplayText(line: Wording.savedTheSearchAs(name)))
    case .forget(let name):
      await keep(.remove(name: name), DisplayText(line: Wording.removedTheSearch(name)))
    case .history:
      await ask({ try modules.searchHistory() }, 50) { container in
        inbox.post(.history(container.content?.lines.map(\.record) ?? []))
      }
    case .count(let id, let generation, let route):
      await ask({ try modules.searchCount() }, route) { container in
        if let count = container.content?.count { inbox.post(.counted(id, generation: generation, count)) }
      }
    case .complete(let line): inbox.post(.completed(await commands.completions(of: line), of: line))
    case .command(let line):
      await telling { inbox.post(.command(try await commands.read(line))) }
    case .pipe(let item, let line): await pipe(item, line)
    case .act(let item, let name): await act(item, name)
    case .label(let request): await ask({ try modules.label() }, request) { tell($0) }
    case .saveItem(let item): await ask({ try modules.save() }, [item]) { tell($0) }
    case .play(let item, let url): await play(item, url)
    case .played(let request):
      await ask({ try modules.playback() }, request) { container in
        if let failure = container.failure { inbox.post(.told(ReaderMessage(failure))) }
      }
    case .mark, .run, .copy, .redraw, .suspend: break
    }
  }

  /// Saves or removes a search; `success` is the message if that succeeds.
  private func keep(_ route: SavedSearchesRequest, _ success: DisplayText) async {
    await ask({ try modules.savedSearches() }, route) { inbox.post(.saved($0, success)) }
  }

  /// Posts the outcome of a change that no screen shows.
  private func tell(_ container: Container<MarkViewModel>) {
    guard container.isLast else { return }
    if let failure = container.failure {
      inbox.post(.told(ReaderMessage(failure)))
    } else if let note = container.content?.notes.first {
      inbox.post(.told(ReaderMessage(note)))
    }
  }

  /// Runs a shell command whose input is the item's text as the screen shows it.
  private func pipe(_ item: NewsItem.ID, _ line: String) async {
    await ask({ try modules.item(marksRead: false) }, [item]) { container in
      guard container.isLast else { return }
      if let failure = container.failure { return inbox.post(.told(ReaderMessage(failure))) }
      guard let page = container.content?.page else { return }
      let width = options.textWidth
      let terminal = Terminal(width: width, now: Timestamp(seconds: 0))
      let layout = NewsItemLayout(page, columns: width, measure: width, terminal: terminal)
      let text = layout.lines.map { $0.spans.map(\.text.string).joined() }.joined(separator: "\n") + "\n"
      let call = ForegroundCall(words: ["/bin/sh", "-c", line], input: Array(text.utf8), pauses: true)
      inbox.post(.run(call))
    }
  }

  /// Starts the player at the place where the recording was left.
  private func play(_ item: NewsItem.ID, _ url: String?) async {
    await ask({ try modules.item(marksRead: false) }, [item]) { container in
      guard container.isLast else { return }
      if let failure = container.failure { return inbox.post(.told(ReaderMessage(failure))) }
      guard let page = container.content?.page else { return }
      let all = page.recordings.filter { WebAddress.isWeb($0.url) }
      let chosen =
        if let url { all.first { $0.url == url } } else { all.first { !$0.isPlayed } ?? all.first }
      guard let chosen else {
        let text =
          url == nil ? Wording.thisItemHasNoSoundOrVideo : Wording.thisIsNeitherSoundNorVideo
        return inbox.post(.told(ReaderMessage(DisplayText(line: text), isError: true)))
      }
      inbox.post(.run(PlayerCall(options.player, chosen, of: item).call))
    }
  }

  /// Sends the item to a program that runs without the terminal.
  private func act(_ item: NewsItem.ID, _ name: String) async {
    guard let action = options.actions.first(where: { $0.name == name }) else { return }
    await telling {
      let input = try await modules.json(of: item)
      let call = ProgramCall(words: action.words, input: input, outputBytes: 1 << 16, timeout: 60_000)
      let result = await modules.run(call)
      let errors = String(decoding: result.errors, as: UTF8.self)
      let detail = errors.isEmpty ? "" : ": \(errors)"
      let text = result.isSuccess ? Wording.programDone(name) : "\(name) \(result.outcome)\(detail)"
      inbox.post(.told(ReaderMessage(DisplayText(line: text).trimmed, isError: !result.isSuccess)))
    }
  }

  /// Shows an error that `body` throws as a message.
  private func telling(_ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      let text = UserMessage(reporting: error)?.text ?? "\(error)"
      inbox.post(.told(ReaderMessage(DisplayText(line: text), isError: true)))
    }
  }

  private func load(_ id: ScreenID, _ generation: Int, _ request: LoadRequest) async {
    @Sendable func post(_ content: LoadedContent) { inbox.post(.loaded(id, generation: generation, content)) }
    switch request {
    case .subscriptions:
      await ask({ try modules.subscriptions() }, .list()) { post(.subscriptions($0)) }
    case .headlines(let source, let place, let remembers):
      let source = place.isEverywhere ? HeadlinePart.everywhere : source.at(place)
      switch source {
      case .list(let route):
        await ask({ try modules.list() }, route) { post(.headlines($0.map(HeadlineWindow.init), place)) }
      case .search(let route):
        await ask({ try modules.search(remembers: remembers) }, route) {
          post(.headlines($0.map { HeadlineWindow($0.list) }, place))
        }
      }
    case .item(let item, let marksRead):
      await ask({ try modules.item(marksRead: marksRead) }, [item]) { post(.item($0)) }
    case .versions(let item): await ask({ try modules.versions() }, item) { post(.versions($0)) }
    case .difference(let item): await ask({ try modules.difference() }, item) { post(.difference($0)) }
    case .status: await ask({ try modules.status() }, modules.store) { post(.status($0)) }
    case .failures: await ask({ try modules.failures() }, ()) { post(.failures($0)) }
    case .plan(let horizon): await ask({ try modules.plan() }, horizon) { post(.plan($0)) }
    }
  }

  /// Runs a module. Reports an error while building the module as the module's failure.
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

extension HeadlinePart {
  /// True for a request that searches all feeds.
  fileprivate var isEverywhere: Bool {
    if case .unread(let seek) = self { seek.isEverywhere } else { false }
  }

  /// The newest unread item of all feeds.
  fileprivate static var everywhere: HeadlineSource {
    var filter = ItemFilter(isRead: false)
    filter.leavesOutHidden = true
    return .list(ListRoute(filter: filter).following(nil, size: 1))
  }
}
