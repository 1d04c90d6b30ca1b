import NewsCore
import NewsToolbox
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

private struct Words: ScreenContent, Hashable {
  var failsIfEmpty: Bool { true }
  var text: String
  var notes: [DisplayText] = []
  var warnings: [DisplayText] = []
  var rowCount: Int { text.isEmpty ? 0 : 1 }
}

private struct WordsView: ContentView {
  mutating func begin(_ buffer: inout ByteBuffer) { buffer.append("<") }
  mutating func render(_ content: Words, isLast: Bool, _ buffer: inout ByteBuffer) {
    buffer.append(content.text)
  }
  mutating func end(_ buffer: inout ByteBuffer) { buffer.append(">") }
}

@Suite struct `States of a screen and their output` {
  @Test func `Content stays shown during a reload and after a failure`() {
    let shown = Container.ready(Words(text: "old"))
    let reloading = Container<Words>.loading(Progress(done: 1, total: 2)).after(shown)
    #expect(reloading.content == Words(text: "old") && !reloading.isLast)
    let failed = Container<Words>.failed(UserMessage(code: .io, text: "no")).after(reloading)
    #expect(failed.content == Words(text: "old") && failed.failure?.text == "no" && failed.isLast)
    #expect(failed.dismissed == shown)
    #expect(Container.ready(Words(text: "new")).after(failed).content == Words(text: "new"))
  }

  @Test func `Dismissing a failure changes nothing if there is no content`() {
    let failed = Container<Words>.failed(UserMessage(code: .io, text: "no"))
    #expect(failed.dismissed == failed)
  }

  @Test func `Progress is drawn on one line and cleared before anything else is written`() throws {
    let output = FakeOutput()
    let progress = ProgressLine { 24 }
    let screen = Screen(view: WordsView(), output: output, messages: output, progress: progress)
    try screen.emit(.loading(Progress("exporting")))
    try screen.emit(.loading(Progress("exporting", done: 7, total: 20, unit: "items")))
    try screen.emit(.ready(Words(text: "a")))
    let clear = "\r\u{1B}[K"
    #expect(output.text == "exporting …\(clear)exporting · 7 of 20 it…\(clear)<a>")
  }

  @Test func `Notes follow the content except in quiet mode; warnings are always shown`() throws {
    for (isQuiet, expected) in [(false, "newsd: careful\ndone\n"), (true, "newsd: careful\n")] {
      let output = FakeOutput()
      let messages = FakeOutput()
      let screen = Screen(view: WordsView(), output: output, messages: messages, isQuiet: isQuiet)
      var words = Words(text: "a")
      words.notes = [DisplayText("done")]
      words.warnings = [DisplayText("careful")]
      try screen.emit(.ready(words))
      #expect(output.text == "<a>" && messages.text == expected)
    }
  }

  @Test func `A failure after content closes the document and sets the exit status`() throws {
    let output = FakeOutput()
    let screen = Screen(view: WordsView(), output: output, messages: FakeOutput())
    try screen.emit(.failed(UserMessage(code: .io, text: "no"), keeping: Words(text: "a")))
    #expect(output.text == "<a>" && screen.exitStatus == .io)
  }

  @Test func `A screen writes content to the output, and an error to the message stream, once`() throws {
    let output = FakeOutput()
    let messages = FakeOutput()
    let screen = Screen(view: WordsView(), output: output, messages: messages)
    try screen.emit(.loading(keeping: Words(text: "a")))
    try screen.emit(.failed(UserMessage(code: .io, text: "disk \u{1B}[31mfull")))
    #expect(output.text == "<a")
    #expect(messages.text == "newsd: disk \u{FFFD}[31mfull\n")
    #expect(screen.exitStatus == .io)
  }

  @Test func `A search ends with status 1 without rows, and with 0 otherwise`() throws {
    let empty = Screen(view: WordsView(), output: FakeOutput(), messages: FakeOutput())
    try empty.emit(.ready(Words(text: "")))
    #expect(empty.exitStatus == .nothingMatched)
    let output = FakeOutput()
    let full = Screen(view: WordsView(), output: output, messages: FakeOutput())
    try full.emit(.ready(Words(text: "a")))
    #expect(full.exitStatus == .done)
    #expect(output.text == "<a>")
  }

  @Test func `Short output is buffered, and 70,000 bytes are written at once`() throws {
    let output = FakeOutput()
    let screen = Screen(view: WordsView(), output: output, messages: FakeOutput())
    for _ in 0..<10 { try screen.emit(.loading(keeping: Words(text: "abc"))) }
    #expect(output.writeCount == 0)
    try screen.emit(.loading(keeping: Words(text: String(repeating: "x", count: 70_000))))
    #expect(output.writeCount == 1)
  }

  @Test func `A list throws an error if its output is closed`() async throws {
    let store = FakeStore(items: (1...3000).map { .sample($0, "A title of some length, \($0)") })
    let output = try ItemOutput(format: .jsonl, terminal: .plain())
    let writer = FakeOutput(closedAfter: 1)
    let screen = Screen<NewsListViewModel>(
      view: view(output, { NewsListView(terminal: $0) }),
      output: writer,
      messages: FakeOutput()
    )
    let interactor = NewsListInteractor(
      news: store,
      filters: .plain(store),
      presenter: NewsListPresenter(output.needs, times: output.shape.terminal.times)
    )
    await #expect(throws: OutputError.closed) {
      try await interactor.run(ListRoute(extent: .all), emit: screen.emit)
    }
  }
}
