import NewsCore
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

private struct Words: ScreenContent, Hashable {
  var text: String
  var rowCount: Int { text.isEmpty ? 0 : 1 }
}

private struct WordsView: ContentView {
  mutating func begin(_ buffer: inout ByteBuffer) { buffer.append("<") }
  mutating func render(_ content: Words, isLast: Bool, _ buffer: inout ByteBuffer) {
    buffer.append(content.text)
  }
  mutating func end(_ buffer: inout ByteBuffer) { buffer.append(">") }
}

@Suite struct `Container and screen` {
  @Test func `Content survives a reload and a failure`() {
    let shown = Container.ready(Words(text: "old"))
    #expect(shown.reloading(Progress(done: 1, total: 2)).content == Words(text: "old"))
    let failed = shown.reloading().failing(UserMessage(code: .io, text: "no"))
    #expect(failed.content == Words(text: "old"))
    #expect(failed.failure?.text == "no")
    #expect(failed.isLast && shown.isLast && !shown.reloading().isLast)
  }

  @Test func `A screen frames what is emitted and tells an error once, on the other channel`() throws {
    let output = FakeOutput()
    let messages = FakeOutput()
    let screen = Screen(view: WordsView(), output: output, messages: messages)
    try screen.emit(.loading(keeping: Words(text: "a")))
    try screen.emit(.failed(UserMessage(code: .io, text: "disk \u{1B}[31mfull")))
    #expect(output.text == "<a")
    #expect(messages.text == "newsd: disk \u{FFFD}[31mfull\n")
    #expect(screen.exitStatus == 74)
  }

  @Test func `An end without rows is status 1, with rows 0`() throws {
    let empty = Screen(view: WordsView(), output: FakeOutput(), messages: FakeOutput())
    try empty.emit(.ready(Words(text: "")))
    #expect(empty.exitStatus == 1)
    let output = FakeOutput()
    let full = Screen(view: WordsView(), output: output, messages: FakeOutput())
    try full.emit(.ready(Words(text: "a")))
    #expect(full.exitStatus == 0)
    #expect(output.text == "<a>")
  }

  @Test func `Small pieces are collected, large ones written on`() throws {
    let output = FakeOutput()
    let screen = Screen(view: WordsView(), output: output, messages: FakeOutput())
    for _ in 0..<10 { try screen.emit(.loading(keeping: Words(text: "abc"))) }
    #expect(output.writeCount == 0)
    try screen.emit(.loading(keeping: Words(text: String(repeating: "x", count: 70_000))))
    #expect(output.writeCount == 1)
  }

  @Test func `A closed reader ends the run`() async throws {
    let store = FakeStore(items: (1...3000).map { .sample($0, "A title of some length, \($0)") })
    let output = try ItemOutput(format: .jsonl, terminal: .plain())
    let writer = FakeOutput(closedAfter: 1)
    let screen = Screen(
      view: view(output, { NewsListView(terminal: $0) }),
      output: writer,
      messages: FakeOutput()
    )
    let interactor = NewsListInteractor(
      news: store,
      feeds: store,
      presenter: NewsListPresenter(output.interest, times: output.terminal.times)
    )
    await #expect(throws: OutputError.closed) {
      try await interactor.run(ListRoute(extent: .all), emit: screen.emit)
    }
  }
}
