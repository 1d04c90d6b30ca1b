import Modules
import NewsCore
import NewsHTTP
import Testing

@testable import NewsWeb

@Suite struct `Web page: texts` {
  @Test func `The scripts use the texts of the table, and each of them`() {
    let marks: Set<String> = ["read", "unread", "starred", "unstarred"]
    for (script, texts, others) in [
      (WebAssets.script, Wording.pageScript, marks), (WebAssets.player, Wording.playerScript, Set()),
      (WebAssets.worker, Wording.workerScript, Set()),
    ] {
      let parts = String(decoding: script.asset.bytes, as: UTF8.self).split(separator: "texts.")
      let used = parts.dropFirst().map { String($0.prefix { $0.isASCII && $0.isLetter }) }
      #expect(others.union(used) == Set(texts.map(\.name)))
    }
  }

  @Test func `The time between two polls is not rounded to another one`() {
    for (seconds, shown) in [
      (60, "1 minute"), (900, "15 minutes"), (3600, "1 hour"), (5400, "1 hour 30 minutes"),
      (7200, "2 hours"), (12_345, "3 hours 26 minutes"), (86_370, "1 day"), (129_600, "1 day 12 hours"),
      (216_000, "2 days 12 hours"), (604_800, "7 days"),
    ] { #expect(Wording.interval(Int64(seconds)) == shown) }
  }

  @Test func `What was typed gets no capital`() async throws {
    #expect(PageText.sentence(Wording.wasNotAdded("kernel")) == "'kernel' was not added.")
    let rig = try WebRig()
    let feed = try await rig.store.add(NewFeed(url: "ingest:kernel", title: "kernel"), at: WebRig.now)
    #expect(rig.page.refreshes.start(RefreshRoute(feeds: ["\(feed.id.rawValue)"])))
    await rig.page.refreshes.finish()
    let view = RefreshNoticeView(container: rig.page.refreshes.current.container)
    #expect(view.state.text == "There is nothing to fetch for 'kernel'.")
  }

  @Test func `Texts of the page name no commands, and begin with a capital`() {
    for (text, shown) in [
      (
        "gone for good; its items are kept. 'newsd feeds set 7 url=URL' gives it a new address, 'newsd fetch 7' asks again.",
        "Gone for good; its items are kept."
      ),
      ("Raise the interval: 'newsd feeds set 7 minimum-interval=2h'.", "Raise the interval."),
      ("there is no rule 3; 'newsd rules' lists them", "There is no rule 3"),
      ("The server refuses the name; check --user and the API password", "The server refuses the name"),
      ("'newsd help' lists them", "'newsd help' lists them"),
      ("refused. To allow all, set NEWSD_ALLOW_PRIVATE=1.", "Refused."),
      ("at 12:30: two; three.", "At 12:30: two; three."), ("gone, for good", "Gone, for good"),
      ("newsd keeps asking.", "newsd keeps asking."), ("a.example is away", "a.example is away"),
      ("https://a.example/ is away", "https://a.example/ is away"), ("mine: refused", "mine: refused"),
      (
        "no connection to a.example (through the proxy): Failed to connect to a.example port 80 after 0 ms: Couldn't connect to server",
        "No connection to a.example (through the proxy)"
      ),
      (
        "no connection to a.example: Failed to connect to a.example port 80 after 0 ms: Network is unreachable",
        "No connection to a.example: Network is unreachable"
      ),
      (
        "no connection to a.example (through the proxy): CONNECT tunnel failed, response 407",
        "No connection to a.example (through the proxy): CONNECT tunnel failed, response 407"
      ),
      ("no connection to [::1] in time: Connection timed out", "No connection to [::1] in time"),
      ("no connection to a.example", "No connection to a.example"),
      ("no secure connection to a.example: expired", "No secure connection to a.example: expired"),
      ("été", "été"), ("e\u{301}t", "e\u{301}t"), ("", ""),
    ] { #expect(PageText.sentence(text) == shown) }
    #expect(PageText.note("Import a list of your own with --trust to keep them.") == nil)
    #expect(PageText.note("added rule 1; 'newsd rules' lists all") == "Added rule 1")
  }
}
