/// Handles the events of hubs, up to the point of storing.
extension FeedRefresh {
  /// Claims the feed of a hub's event, so that no other process refreshes it meanwhile.
  func claims(_ id: Feed.ID) async -> Bool {
    guard let claims = options.claims else { return true }
    if case .claimed = await claims.claim(id) { return true }
    return false
  }

  /// Parses a signed document, or reschedules the feed after an unsigned document or a change of its lease.
  func prepare(_ event: HubEvent, parsed: @Sendable (Int?) -> Void) async -> Prepared {
    let id = event.feedID
    let feed: Feed
    do {
      feed = try await store.feed(id)
    } catch {
      webSub?.forget(id)
      return broken(id, nil, error)
    }
    if feed.settings.isPaused == true {
      // The next poll subscribes again.
      webSub?.forget(id)
      return rescheduled(feed) { state, _ in state }
    }
    switch event {
    case .leaseChanged:
      var prepared = rescheduled(feed) { policy.replanned($0, in: $1) }
      let end = webSub?.leaseEnd(of: id, at: clock.now())
      prepared.outcome.notes = [
        end.map { "its hub pushes it until \($0.rfc3339)" } ?? "its hub does not push it any more"
      ]
      return prepared
    case .pushed(let document):
      guard document.isSigned else { return rescheduled(feed) { policy.state(afterHintOf: $0, in: $1) } }
      var prepared = await read(document, feed, parsed)
      if options.claims != nil, prepared.record != nil { prepared.pushed = event }
      return prepared
    }
  }

  private func context(_ feed: Feed, recentTimes: [Timestamp] = []) -> PollPolicy.Context {
    let now = clock.now()
    return PollPolicy.Context(
      now: now,
      url: feed.url,
      settings: feed.settings,
      recentTimes: recentTimes,
      random: options.random(),
      pushedUntil: webSub?.leaseEnd(of: feed.id, at: now)
    )
  }

  private func rescheduled(
    _ feed: Feed,
    _ plan: (FetchState, PollPolicy.Context) -> FetchState
  ) -> Prepared {
    let state = plan(feed.fetchState, context(feed))
    let record =
      state == feed.fetchState
      ? nil : RefreshRecord(feedID: feed.id, state: state, parsed: nil, time: clock.now())
    return Prepared(
      outcome: RefreshOutcome(feedID: feed.id, feed: feed, result: .unchanged, state: state),
      record: record
    )
  }

  private func read(
    _ document: PushedDocument,
    _ feed: Feed,
    _ noteParsed: @Sendable (Int?) -> Void
  ) async -> Prepared {
    let parsed: ParsedFeed
    do {
      parsed = try parser.parse(
        FeedDocument(
          bytes: document.bytes,
          contentType: document.contentType,
          baseURL: document.topic,
          encoding: feed.settings.encoding
        )
      )
    } catch {
      // Polling continues; a hub's error does not count as the feed's failure.
      return Prepared(
        outcome: RefreshOutcome(
          feedID: feed.id,
          feed: feed,
          result: .unchanged,
          state: feed.fetchState,
          bytes: document.bytes.count,
          notes: ["its hub pushed a document that is not a feed: \(error.message)"]
        )
      )
    }
    noteParsed(parsed.heldBytes)
    let times = await recentTimes(feed, parsed, clock.now())
    let state = policy.state(
      afterPush: parsed.hints,
      of: feed.fetchState,
      in: context(feed, recentTimes: times)
    )
    return Prepared(
      outcome: RefreshOutcome(
        feedID: feed.id,
        feed: feed,
        result: .updated(new: [], changed: []),
        state: state,
        bytes: document.bytes.count,
        notes: ["pushed by its hub"]
      ),
      record: store.prepared(
        RefreshRecord(feedID: feed.id, state: state, parsed: parsed, time: clock.now())
      )
    )
  }
}

extension HubEvent {
  /// The feed that the event concerns.
  public var feedID: Feed.ID {
    switch self {
    case .pushed(let document): document.feedID
    case .leaseChanged(let id): id
    }
  }
}
