@testable import NewsCore
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

@Suite struct `Refresh screen` {
  private static let failure = RefreshFailure(code: .status(500), message: "no\nanswer")

  private func outcome(_ title: String, _ result: RefreshOutcome.Result) -> RefreshOutcome {
    let id = Feed.ID(rawValue: 1)
    let feed = Feed(id: id, url: "https://example.org/feed", title: title, position: 1)
    return RefreshOutcome(feedID: id, feed: feed, result: result)
  }

  private func show(_ detail: RefreshView.Detail, isLive: Bool = false) throws -> (
    text: String, status: Modules.ExitStatus
  ) {
    let writer = FakeOutput()
    let view = RefreshView(terminal: .plain(width: 40), detail: detail, isLive: isLive)
    let screen = Screen(view: view, output: writer, messages: writer, flushesAlways: true)
    var presenter = RefreshPresenter(total: 3)
    let ids = (1...5).map { NewsItem.ID(rawValue: $0) }
    let updated = outcome("A", .updated(new: Array(ids.prefix(4)), changed: Array(ids.suffix(1))))
    try screen.emit(presenter.present(updated, elapsed: 0.5))
    try screen.emit(presenter.present(outcome("B", .unchanged), elapsed: 1))
    try screen.emit(presenter.present(outcome("C\u{1B}", .failed(Self.failure)), elapsed: 2))
    try screen.emit(presenter.finish(elapsed: 2))
    return (writer.text, screen.exitStatus)
  }

  @Test func `In the most detailed mode, each feed has a line before the totals`() throws {
    let (text, status) = try show(.everyFeed)
    #expect(
      text == """
        A: 4 new, 1 changed
        B: unchanged
        C\u{FFFD}: no answer
        3 feeds in 2.0 s: 4 new items, 1 changed, 1 failed
        newsd: 1 of 3 feeds failed; 'newsd status --failing' tells which, why and what to do

        """
    )
    #expect(status == .someFailed)
  }

  @Test func `A feed that was not read has its address, without a password, or its number`() {
    var outcome = RefreshOutcome(
      feedID: Feed.ID(rawValue: 7),
      url: "https://me:secret@example.org/feed",
      result: .skipped(.unreadable)
    )
    var presenter = RefreshPresenter(total: 2)
    func name() -> String? { presenter.present(outcome, elapsed: 1).content?.lines.first?.feed.string }
    let address = name()
    #expect(address?.contains("example.org/feed") == true && address?.contains("secret") == false)
    outcome.url = nil
    #expect(name() == "feed 7")
  }

  @Test func `Failures are listed, except in the mode summary`() throws {
    #expect(try show(.failures).text.hasPrefix("C\u{FFFD}: no answer\n3 feeds"))
    #expect(try show(.summary).text.hasPrefix("3 feeds"))
  }

  @Test func `On a terminal one line is redrawn`() throws {
    let text = try show(.failures, isLive: true).text
    #expect(
      text.hasPrefix(
        "1/3 feeds · 4 new\r\u{1B}[K2/3 feeds · 4 new · 2/s · 0.5 s left\r\u{1B}[KC\u{FFFD}: no answer\n3/3 feeds · 4 new · 1"
      )
    )
  }

  @Test func `If every feed failed, the status is unreachable`() throws {
    var presenter = RefreshPresenter(total: 1)
    _ = presenter.present(outcome("A", .failed(Self.failure)), elapsed: 1)
    #expect(presenter.finish(elapsed: 1).failure?.code == .unreachable)
  }
}
