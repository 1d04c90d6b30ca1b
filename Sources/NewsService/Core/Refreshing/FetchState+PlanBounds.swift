/// Applies new interval limits to a scheduled poll.
extension FetchState {
  /// Reasons that derive from a feed's hints and rhythm: both limits apply.
  private static let bounded: [DueReason] = [
    .adaptive, .maxAge, .expires, .ttl, .updatePeriod, .webSub, .user,
  ]
  /// Reasons that may exceed the upper limit: only the lower limit applies.
  private static let boundedBelow: [DueReason] = [.skipHours, .skipDays, .hostBudget, .retryAfter]

  /// Returns a state whose next poll is within `bounds`, in seconds after the last one, or later for a reason
  /// in `boundedBelow`. A failing feed keeps its due time, and so does a feed with a reason in neither list.
  public func rescheduled(within bounds: ClosedRange<Int64>) -> FetchState {
    guard failures == 0, let due = nextDue, let last = lastFetched, let reason = nextDueReason,
      Self.bounded.contains(reason) || Self.boundedBelow.contains(reason)
    else { return self }
    let most = Self.bounded.contains(reason) ? min(due, last + bounds.upperBound) : due
    let held = max(most, last + bounds.lowerBound)
    guard held != due else { return self }
    var next = self
    let allowed = PollTimes.skipping(hints, from: held)
    next.nextDue = allowed
    if allowed > held { next.nextDueReason = PollTimes.isSkippedDay(hints, held) ? .skipDays : .skipHours }
    return next
  }

  /// Reschedules after the feed's own limits changed from those of `former` to those of `settings`. `general` are the
  /// limits, in seconds, of feeds without their own.
  public func rescheduled(
    for settings: FeedSettings,
    replacing former: FeedSettings,
    general: ClosedRange<Int64>
  ) -> FetchState {
    guard
      former.minimumInterval != settings.minimumInterval
        || former.maximumInterval != settings.maximumInterval
    else { return self }
    var plan = self
    if nextDueReason == .user, failures == 0, let due = nextDue, let last = lastFetched,
      let least = former.minimumInterval, least > settings.minimumInterval ?? 0
    {
      // The rhythm's interval was not stored: use an hour, unless the publisher asks for a longer wait.
      plan.nextDue = min(due, last + max(askedWait, 3600))
      plan.nextDueReason = .adaptive
    }
    var held = plan.rescheduled(within: settings.intervals(general))
    // If a limit of the feed's own settings determined the due time, the reason is the user.
    if held.nextDue != plan.nextDue, held.nextDueReason == plan.nextDueReason,
      let due = held.nextDue, let wanted = plan.nextDue,
      (due > wanted ? settings.minimumInterval : settings.maximumInterval) != nil
    {
      held.nextDueReason = .user
    }
    return held
  }

  /// The minimum wait in seconds that the last successful response and document asked for.
  var askedWait: Int64 {
    max(
      maxAge ?? 0,
      Int64(min(hints.ttl ?? 0, 5_000_000)) * 60,
      hints.updateBase == nil ? hints.updateInterval ?? 0 : 0
    )
  }
}
