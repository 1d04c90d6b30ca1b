import NewsCore

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
    record.state = record.state.following(settings, insteadOf: planned, general: intervals)
    return record
  }
}
