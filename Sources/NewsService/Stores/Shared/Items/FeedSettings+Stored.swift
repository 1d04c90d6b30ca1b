import NewsCore
import NewsToolbox

/// The `settings` column: one JSON object whose members have the names of the properties, in alphabetical order. The
/// column is NULL if no setting is set, as for most feeds.
///
/// Statements find paused and hidden feeds by these conditions; a quotation mark within a value is escaped, so that
/// no value looks like a member.
extension FeedSettings {
  /// Decodes the column and ignores unknown members. Numbers are clamped, because an imported row can hold any value.
  package init(stored text: String?) {
    self.init()
    guard let text, let value = JSONValue(valid: text) else { return }
    for field in Self.fields { field.set(&self, value[field.name]) }
  }

  /// The condition of SQL for feeds that are paused or hidden.
  package static let pausedCondition = "(settings IS NOT NULL AND settings LIKE '%\"paused\":true%')"
  package static let hiddenCondition = "(settings IS NOT NULL AND settings LIKE '%\"hidden\":true%')"

  /// The encoded column; nil if no setting is set.
  package var storedText: String? {
    let members = Self.fields.compactMap { field in
      field.value(self).map { JSONValue.Member(name: field.name, value: $0) }
    }
    return members.isEmpty ? nil : JSONValue.object(members.sorted { $0.name < $1.name }).serialized
  }
}
