package import NewsCore

extension RefreshRecord {
  /// Returns true if the feed's settings changed during the fetch in a way that affects its state.
  package func isOutdated(by settings: FeedSettings) -> Bool {
    guard let planned = self.settings else { return false }
    return planned.minimumInterval != settings.minimumInterval
      || planned.maximumInterval != settings.maximumInterval || planned.encoding != settings.encoding
  }

  /// Returns the record with its state recomputed from the feed's current settings.
  package func rescheduled(for settings: FeedSettings) -> RefreshRecord {
    guard let planned = self.settings else { return self }
    var record = self
    if planned.encoding != settings.encoding {
      // The new encoding decodes the same bytes differently: drop the validators, so that the document is fetched
      // again.
      record.state.validators = nil
      record.state.bodyHash = nil
    }
    record.state = record.state.rescheduled(for: settings, replacing: planned, general: intervals)
    return record
  }
}
