public import Modules
public import NewsToolbox

/// A refresh as text for standard error: a live line on a terminal, lines for feeds as `Detail` says, then the
/// totals.
public struct RefreshView: ContentView {
  public enum Detail: Hashable, Sendable {
    /// Notices, then the totals.
    case summary
    /// Failures, skipped feeds and notices, then the totals.
    case failures
    /// Every feed with its notes, then the totals.
    case everyFeed
  }

  private let terminal: Terminal
  private let detail: Detail
  /// True: redraw a live line after every feed; only for terminals.
  private let isLive: Bool
  private let width: @Sendable () -> Int?
  private var hasLiveLine = false

  /// `width` returns the terminal's current width, which changes with its window. `isLive`: redraw a live
  /// line after every feed; only for terminals.
  public init(
    terminal: Terminal,
    width: (@Sendable () -> Int?)? = nil,
    detail: Detail = .failures,
    isLive: Bool = false
  ) {
    self.terminal = terminal
    self.width = width ?? { terminal.width }
    self.detail = detail
    self.isLive = isLive
  }

  public mutating func render(_ content: RefreshViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    for line in content.lines {
      if shows(line.outcome) {
        erase(&buffer)
        render(line, &buffer)
      }
      for note in line.notices + (detail == .everyFeed ? line.notes : []) {
        erase(&buffer)
        render(note, of: line.feed, &buffer)
      }
    }
    if isLast {
      erase(&buffer)
      renderSum(content, &buffer)
    } else if isLive {
      erase(&buffer)
      renderLive(content, &buffer)
      hasLiveLine = true
    }
  }

  private func shows(_ outcome: RefreshViewModel.Outcome) -> Bool {
    switch (detail, outcome) {
    case (.summary, _): false
    case (.everyFeed, _), (.failures, .failed), (.failures, .skipped): true
    case (.failures, _): false
    }
  }

  /// Clears the live line.
  private mutating func erase(_ buffer: inout ByteBuffer) {
    guard hasLiveLine else { return }
    buffer.append(literal: "\r\u{1B}[K")
    hasLiveLine = false
  }

  private func render(_ line: RefreshViewModel.Line, _ buffer: inout ByteBuffer) {
    buffer.paint(safe: line.feed.isolated, .feed, on: terminal)
    buffer.append(literal: ": ")
    switch line.outcome {
    case .updated(let new, let changed):
      buffer.append("\(new) new" + (changed > 0 ? ", \(changed) changed" : ""))
    case .unchanged:
      buffer.paint(literal: "unchanged", .faint, on: terminal)
    case .skipped(let reason):
      buffer.paint(safe: "skipped: \(reason.string)", .faint, on: terminal)
    case .failed(let message):
      buffer.paint(message, .error, on: terminal)
    }
    buffer.newLine()
  }

  private func render(_ note: DisplayText, of feed: DisplayText, _ buffer: inout ByteBuffer) {
    buffer.paint(safe: feed.isolated, .feed, on: terminal)
    buffer.append(literal: ": ")
    buffer.append(note.string)
    buffer.newLine()
  }

  /// Describes the progress of a refresh.
  package static func progress(_ content: RefreshViewModel) -> String {
    var text =
      "\(CountText.of(content.done))/\(CountText.of(content.total)) feeds · \(CountText.of(content.newItems)) new"
    if content.failures > 0 { text += " · \(CountText.of(content.failures)) failed" }
    if content.elapsed >= 1 {
      let rate = Double(content.done) / content.elapsed
      text += " · \(Int(rate.rounded()))/s"
      let left = Double(content.total - content.done) / max(rate, 0.01)
      if content.done < content.total { text += " · \(Self.duration(left)) left" }
    }
    return text
  }

  private func renderLive(_ content: RefreshViewModel, _ buffer: inout ByteBuffer) {
    let measure = DisplayWidth(ambiguousIsWide: terminal.ambiguousIsWide)
    // Leave the last column free: some terminals wrap when it is filled.
    buffer.append(measure.fit(Self.progress(content), into: max((width() ?? 80) - 1, 10)).text)
  }

  private func renderSum(_ content: RefreshViewModel, _ buffer: inout ByteBuffer) {
    buffer.append(Self.sum(content))
    buffer.newLine()
  }

  /// Describes the results of a refresh.
  package static func sum(_ content: RefreshViewModel) -> String {
    var text =
      "\(CountText.of(content.done)) \(Plural.word(content.done, "feed")) in \(Self.duration(content.elapsed))"
    text += ": \(CountText.of(content.newItems)) new \(Plural.word(content.newItems, "item"))"
    if content.changedItems > 0 { text += ", \(content.changedItems) changed" }
    if content.skipped > 0 { text += ", \(content.skipped) skipped" }
    if content.failures > 0 { text += ", \(content.failures) failed" }
    return text
  }

  private static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    if seconds < 10 {
      let tenths = Int((seconds * 10).rounded())
      return "\(tenths / 10).\(tenths % 10) s"
    }
    if whole < 60 { return "\(whole) s" }
    return whole < 3600 ? "\(whole / 60) min \(whole % 60) s" : "\(whole / 3600) h \(whole / 60 % 60) min"
  }
}
