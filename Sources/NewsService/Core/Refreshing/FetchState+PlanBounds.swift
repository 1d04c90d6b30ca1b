/// Plans that are there already, held to other bounds of the poll interval.
extension FetchState {
  /// What feeds and their rhythm asked for: both bounds hold it.
  private static let bounded: [DueReason] = [
    .adaptive, .maxAge, .expires, .ttl, .updatePeriod, .webSub, .user,
  ]
  /// What may go beyond the upper bound, and is not brought forward by it.
  private static let boundedBelow: [DueReason] = [.skipHours, .skipDays, .hostBudget, .retryAfter]

  /// This state with its next poll within `bounds`, in seconds from the last one. A feed that fails stays where it is, and
  /// so does one that waits for something else than an interval.
  public func held(to bounds: ClosedRange<Int64>) -> FetchState {
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

  /// This state after the feed's own bounds were changed from those of `former`, which the plan follows, to those of
  /// `settings`; `general` are the bounds in seconds of feeds without.
  public func following(
    _ settings: FeedSettings,
    insteadOf former: FeedSettings,
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
      // What the rhythm asked for is not known any more: an hour, unless the publisher asked for a longer wait.
      plan.nextDue = min(due, last + max(askedWait, 3600))
      plan.nextDueReason = .adaptive
    }
    var held = plan.held(to: settings.intervals(general))
    // Where the feed's own bounds decide, the user does.
    if held.nextDue != plan.nextDue, held.nextDueReason == plan.nextDueReason,
      let due = held.nextDue, let wanted = plan.nextDue,
      (due > wanted ? settings.minimumInterval : settings.maximumInterval) != nil
    {
      held.nextDueReason = .user
    }
    return held
  }

  /// Seconds for which the last good answer asked to be left alone.
  var askedWait: Int64 {
    max(
      maxAge ?? 0,
      Int64(min(hints.ttl ?? 0, 5_000_000)) * 60,
      hints.updateBase == nil ? hints.updateInterval ?? 0 : 0
    )
  }
}
