import Modules

/// A progress line, redrawn in place on a terminal.
public struct ProgressLine: Sendable {
  private let width: @Sendable () -> Int?
  /// The shortest time between two redraws.
  let interval: Duration

  /// `width` returns the terminal's current number of columns, `interval` is the shortest time between two
  /// redraws.
  public init(width: @escaping @Sendable () -> Int?, interval: Duration = .zero) {
    self.width = width
    self.interval = interval
  }

  /// Moves the cursor to the first column and clears the line.
  static let erasure: StaticString = "\r\u{1B}[K"

  /// Formats progress, for example `exporting · 1,024 of 2,000 items`; empty if the progress has no activity.
  func text(_ progress: Progress) -> String {
    guard let activity = progress.activity else { return "" }
    var text = activity.string
    if let unit = progress.unit, progress.done > 0 || progress.total != nil {
      let total = progress.total.map { " of \(CountText.of($0))" } ?? ""
      text += " · \(CountText.of(progress.done))\(total) \(unit.string)"
    } else {
      text += " …"
    }
    // Leave the last column free: some terminals wrap when it is filled.
    return DisplayWidth().fit(text, into: max((width() ?? 80) - 1, 10)).text
  }
}
