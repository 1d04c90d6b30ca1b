import DIContainer
import Modules
import NewsCore

// MARK: - Maintenance

extension StoreService {
  /// The pause between two checks for pages to fetch, and for icons to look up. An account's store that was not written is
  /// checked after `idle`, because pages and icons also become due by time.
  private static let check: (pause: Duration, idle: Duration) = (.seconds(3), .seconds(60))
  /// The same for starred and labelled items whose pictures are kept.
  private static let pictureCheck: (pause: Duration, idle: Duration) = (.seconds(20), .seconds(600))
  /// The same for hooks that were changed on a page.
  private static let hookCheck: (pause: Duration, idle: Duration) = (.seconds(2), .seconds(60))
  /// Seconds between two checks for icons to look up, if the list of feeds has changed, and if it has not.
  private static let iconCheck: (changed: Int, unchanged: Int) = (60, 3600)

  /// Removes, once an hour, the items beyond the limits of the configuration and the feeds.
  ///
  /// Items removed because of a wrong date are lost. So the first removal waits ten minutes for machines without a
  /// real-time clock to set theirs, a removal is skipped if the clock was set since the last one, and none is made for a day
  /// while the clock is far from the last time that the store knows.
  func prune() async {
    let clock = first.clock
    var watch = ClockWatch(wall: clock.now())
    // Before something is stored with this time.
    _ = try? await store.noteTime(clock.now())
    var waiting: Timestamp?
    first.removeLeftovers()
    try? await Task.sleep(for: .seconds(600))
    while !Task.isCancelled {
      let now = clock.now()
      first.removeLeftovers()
      if let jump = watch.jump(wall: now) {
        log.line(.warning, "clock", [("set_by_seconds", .number(Int(jump)))])
      } else {
        do throws(StoreError) {
          let end = try await store.noteTime(now)
          if let end, end != waiting {
            let reason =
              "the clock is far from the last time that the store knows; nothing is pruned until it is believed"
            log.line(.warning, "clock", [("message", .text(reason)), ("until", .text(end.rfc3339))])
          }
          waiting = end
          if end == nil { try await removeExcess(at: now) }
        } catch {
          log.line(.error, "prune", [("error", .text(error.message))])
        }
      }
      try? await Task.sleep(for: .seconds(3600))
    }
  }

  private func removeExcess(at now: Timestamp) async throws(StoreError) {
    let configured = services.current.settings.retention.rules
    let rules = configured.completed(by: try await store.pageChoices())
    let report = try await store.prune(rules, at: now, dryRun: false)
    if report.total > 0 { log.line(.info, "prune", [("items", .number(report.total))]) }
  }

  /// The pause between two checks of the quota.
  private static let quotaCheck: (pause: Duration, idle: Duration) = (.seconds(60), .seconds(600))

  /// Prunes read items while the store is above its quota, and logs when it can store no new items.
  func keepQuota() async {
    var problem: String?
    var seen = -1
    repeat {
      do {
        let removed = try await store.pruneToQuota()
        if removed > 0 {
          log.line(.info, "prune", [("items", .number(removed)), ("reason", .text("quota"))])
        }
        let now = try await store.quota().problem
        if let now, now != problem { log.line(.warning, "quota", [("message", .text(now))]) }
        problem = now
      } catch {
        if !Task.isCancelled { log.line(.error, "quota", [("error", .text(error.message))]) }
      }
    } while await pulse.wait(Self.quotaCheck.pause, atMost: Self.quotaCheck.idle, &seen)
  }

  /// The key of the fetching of pages in a `FailureCounter`.
  private static let articles = Feed.ID(rawValue: NodeDuty.articles.rawValue)

  /// Fetches the queued pages of items, some seconds after their feeds are stored.
  func fetchArticles() async {
    var failures = FailureCounter()
    var seen = -1
    while await pulse.wait(Self.check.pause, atMost: Self.check.idle, &seen) {
      guard await services.current.holds(.articles), let queue = try? services.current.makeArticleQueue()
      else { continue }
      do {
        let summary = try await queue.drain { event in
          if case .refused(let reason) = event.outcome {
            self.log.line(
              .debug,
              "article",
              [("item", .number(Int(event.job.itemID.rawValue))), ("refused", .text(reason))]
            )
          }
        }
        _ = failures.succeeded(Self.articles)
        let total = summary.fetched + summary.refused
        if total > 0 {
          log.line(
            .info,
            "articles",
            [("fetched", .number(summary.fetched)), ("refused", .number(summary.refused))]
          )
        }
      } catch {
        guard let times = failures.failed(Self.articles, error.message) else { continue }
        let count: [(String, DaemonLog.Value)] = times > 1 ? [("times", .number(times))] : []
        log.line(.error, "articles", [("error", .text(error.message))] + count)
      }
    }
  }

  /// Keeps the pictures of starred and labelled items, within a minute after a change of the store. Pictures that cannot
  /// be fetched are tried again after a day.
  func keepPictures() async {
    var last: Int64?
    var failed: (addresses: Set<String>, since: ContinuousClock.Instant) = ([], .now)
    var failure: String?
    var seen = -1
    while await pulse.wait(Self.pictureCheck.pause, atMost: Self.pictureCheck.idle, &seen) {
      do throws(StoreError) {
        guard await services.current.holds(.icons), let cache = try services.current.makePictureCache() else {
          continue
        }
        let place = try await store.latestSequence()
        if ContinuousClock.now - failed.since > .seconds(86_400) {
          failed = ([], .now)
          last = nil
        }
        guard place != last else { continue }
        let summary = try await cache.run(skipping: &failed.addresses)
        last = place
        failure = nil
        guard summary != PictureCache.Summary() else { continue }
        log.line(
          .info,
          "pictures",
          [
            ("kept", .number(summary.kept)), ("removed", .number(summary.removed)),
            ("failed", .number(summary.failed)),
          ]
        )
      } catch {
        if failure != error.message { log.line(.error, "pictures", [("error", .text(error.message))]) }
        failure = error.message
      }
    }
  }

  /// Looks up the icons of feeds: all that are due once an hour, those of new feeds within a minute.
  func lookUpIcons() async {
    var last: (version: Int64?, time: ContinuousClock.Instant)?
    var failure: String?
    var seen = -1
    while await pulse.wait(Self.check.pause, atMost: Self.check.idle, &seen) {
      do throws(StoreError) {
        let version = try await store.feedListVersion()
        let now = ContinuousClock.now
        if let last {
          let pause = last.version == version ? Self.iconCheck.unchanged : Self.iconCheck.changed
          guard now - last.time >= .seconds(pause) else { continue }
        }
        guard await services.current.holds(.icons), let lookup = try services.current.makeIconLookup() else {
          continue
        }
        last = (version, now)
        let summary = try await lookup.run()
        failure = nil
        guard summary != IconLookup.Summary() else { continue }
        log.line(
          .info,
          "icons",
          [
            ("found", .number(summary.found)), ("unchanged", .number(summary.unchanged)),
            ("missing", .number(summary.missing)),
          ]
        )
      } catch {
        // The same failure is logged once.
        if failure != error.message { log.line(.error, "icons", [("error", .text(error.message))]) }
        failure = error.message
      }
    }
  }

  /// Follows the changes of hooks on pages that other processes serve; those on this one's page take effect at once.
  func followHooks() async {
    var seen = -1
    while await pulse.wait(Self.hookCheck.pause, atMost: Self.hookCheck.idle, &seen) {
      // The scheduler reports a store that cannot be read.
      try? await first.hooks.update(store)
    }
  }

  /// Delivers the outboxes of hooks.
  func deliverHooks() async {
    let service = HookService(log: log, clock: first.clock, alarms: alarms, pulse: pulse)
    await service.run(
      { self.first.hooks.current.hooks },
      {
        let (services, hooks) = (self.services.current, self.first.hooks)
        let known = hooks.current.hooks
        guard let runner = try? services.makeHookRunner() else { return nil }
        return (runner, { self.services.current === services && hooks.current.hooks == known })
      },
      mayDeliver: { await self.services.current.holds(.hooks) }
    )
  }
}
