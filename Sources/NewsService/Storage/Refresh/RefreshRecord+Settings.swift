import NewsService

extension RefreshRecord {
  /// True when the feed's settings were changed while it was asked, in a way that its state has to follow.
  func isOutdated(by settings: FeedSettings) -> Bool {
    guard let planned = self.settings else { return false }
    return planned.minimumInterval != settings.minimumInterval
      || planned.maximumInterval != settings.maximumInterval || planned.encoding != settings.encoding
  }

  /// The record with a state as the feed's present settings would have it.
  func following(_ settings: FeedSettings) -> RefreshRecord {
    guard let planned = self.settings else { return self }
    var record = self
    if planned.encoding != settings.encoding {
      // The same bytes mean something else now.
      record.state.validators = nil
      record.state.bodyHash = nil
    }
    if state.failures == 0, let due = state.nextDue, let last = state.lastFetched {
      let most = settings.maximumInterval ?? Int64(366 * 86_400)
      let held = max(min(due, last + most), last + (settings.minimumInterval ?? 0))
      record.state.nextDue = held
      if held != due { record.state.nextDueReason = .user }
    }
    return record
  }
}
