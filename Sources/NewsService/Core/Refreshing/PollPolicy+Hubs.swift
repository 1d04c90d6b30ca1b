/// How pushes from hubs (W3C WebSub) affect polling: a pushed feed is polled rarely, only to catch missed pushes.
extension PollPolicy {
  /// Seconds until the next poll while a hub pushes the feed: the longest interval, but not beyond the end of the
  /// lease. Nil when no hub pushes it.
  func waitWhilePushed(_ context: Context) -> Int64? {
    guard let end = context.pushedUntil, end > context.now else { return nil }
    let longest = bounds(context.settings).upperBound
    return min(longest - Int64(Double(longest) * 0.1 * context.random), end - context.now)
  }

  /// Returns the state after a push of a document with these hints. A push is no response to a request, so validators,
  /// failures and last status are unchanged.
  func state(afterPush hints: PollHints, of state: FetchState, in context: Context) -> FetchState {
    var next = state
    next.hints = hints
    let rhythm = PublishingRhythm(times: context.recentTimes, now: context.now)
    let range = bounds(context.settings)
    next.interval = min(
      max(rhythm.wait(unknown: configuration.defaultInterval), range.lowerBound),
      range.upperBound
    )
    return replanned(next, in: context)
  }

  /// Reschedules a feed after its lease started or ended: polls become rare, or follow the feed's rhythm again. A feed
  /// that is failing, gone or due already keeps its due time: the poll finds what was missed.
  func replanned(_ state: FetchState, in context: Context) -> FetchState {
    guard !state.isGone, state.failures == 0, let due = state.nextDue, let last = state.lastFetched else {
      return state
    }
    var next = state
    if let rest = waitWhilePushed(context) {
      guard due > context.now, context.now + rest > due else { return state }
      next.nextDue = PollTimes.skipping(state.hints, from: context.now + rest)
      next.nextDueReason = .webSub
    } else if state.nextDueReason == .webSub {
      let range = bounds(context.settings)
      let interval = min(
        max(state.interval ?? configuration.defaultInterval, range.lowerBound),
        range.upperBound
      )
      let soon = context.now + Int64(60 * context.random)
      next.nextDue = min(due, max(last + interval, soon))
      next.nextDueReason = .adaptive
    }
    return next
  }

  /// Returns the state after an unsigned push from a hub that has no secret. The push only indicates new content, so
  /// the feed is polled as soon as the shortest interval allows.
  func state(afterHintOf state: FetchState, in context: Context) -> FetchState {
    guard !state.isGone, state.failures == 0, let due = state.nextDue else { return state }
    let earliest = (state.lastFetched ?? context.now) + bounds(context.settings).lowerBound
    var next = state
    next.nextDue = min(due, max(earliest, context.now))
    next.nextDueReason = .webSub
    return next
  }
}
