package import NewsCore

/// The effect of an edit on the stored versions of an item. Each version is a delta from the next one.
package enum VersionChange {
  /// Maximum number of versions per item: a price or clock in the text produces a new one at every poll.
  package static let maximumCount: Int64 = 50

  case none
  /// Store the old text as a version, and delete versions up to `number - maximumCount`.
  case add(number: Int64, delta: TextDelta)
  /// The latest version is a delta from the text being replaced; store it as a delta from the new text.
  case rebase(number: Int64, delta: TextDelta)

  /// Decides how an edit changes the stored versions. Stores the old text if the edit is significant; earlier versions
  /// stay readable in either case. `latest` returns the latest stored version.
  package init(
    title: String,
    text: String,
    newTitle: String,
    newText: String,
    latest: () throws(StoreError) -> (number: Int64, delta: TextDelta)?
  ) throws(StoreError) {
    self = .none
    guard title != newTitle || text != newText else { return }
    let isSignificant = EditSignificance.isSignificant(
      title: title,
      text: text,
      newTitle: newTitle,
      newText: newText
    )
    let latest = try latest()
    if isSignificant {
      self = .add(number: (latest?.number ?? 0) + 1, delta: TextDelta(from: newText, to: text))
    } else if let latest, text != newText, let earlier = latest.delta.applied(to: text) {
      self = .rebase(number: latest.number, delta: TextDelta(from: newText, to: earlier))
    }
  }
}
