import NewsHTTP
import Modules
import NewsCore
import Testing

@testable import NewsWeb

@Suite struct `Web page: less like this` {
  private func rig() async throws -> (WebRig, String) {
    let rig = try WebRig()
    var item = ParsedItem("Football scores again")
    item.tags = [Category(term: "Sports \"live\"")]
    try await rig.fill([item, ParsedItem("Football scores"), ParsedItem("Rivers")], title: "Daily")
    await rig.logIn()
    let id = try #require(try await rig.ids().first)
    return (rig, "item/\(id)/less")
  }

  @Test func `The form offers feed, tags and words of the title, and counts stored items`() async throws {
    let (rig, path) = try await rig()
    let form = await rig.get(path)
    let terms = form.all(from: "name=\"term\" value=\"", to: "\"")
    #expect(terms.contains("title:Football") && terms.contains("title:again"))
    #expect(form.text.contains("Tag: Sports") && form.text.contains("Feed: Daily"))
    #expect(form.text.contains("Choose what the items have in common"))
    let counted = await rig.post(
      path,
      [("term", "title:Football"), ("term", "title:scores"), ("do", "count")]
    )
    #expect(counted.text.contains("2 stored items match") && counted.text.contains(" checked"))
    #expect(try await rig.store.rules().isEmpty)
    #expect(await rig.get("item/99/less").status == 404)
  }

  @Test func `Numbers and common words of a title are not offered`() {
    #expect(LessView.words(of: "What 10,000 readers say about the Nile") == ["readers", "say", "Nile"])
  }

  @Test func `A rule is made for a week, and applied to the stored items`() async throws {
    let (rig, path) = try await rig()
    let form = [
      (name: "term", value: "title:Football"), (name: "do", value: "add"), (name: "from", value: "/unread"),
    ]
    let answer = await rig.post(path, form + [("action", "read"), ("for", "week"), ("stored", "1")])
    #expect(answer.location == "/news/unread")
    let rule = try #require(try await rig.store.rules().first)
    #expect(rule.query == "title:Football" && rule.actionList == "mark-read")
    #expect(rule.until == WebRig.now + 7 * 86_400)
    let page = await rig.get("unread")
    #expect(page.count("<article") == 1 && page.text.contains("2 items marked read"))
    #expect(page.text.contains("Added the rule for 7 days."))
    #expect(page.count("action=\"/news/undo\"") == 1)
    _ = await rig.post("undo", [("from", "/unread")])
    #expect(await rig.get("unread").count("<article") == 3)
    #expect(try await rig.store.rules().isEmpty)
  }

  @Test func `A dropping rule stays for ever; a label is checked; without a choice there is no rule`()
    async throws
  {
    let (rig, path) = try await rig()
    _ = await rig.post(
      path,
      [("term", "title:Football"), ("action", "drop"), ("for", "always"), ("do", "add")]
    )
    #expect(try await rig.store.rules().map(\.actionList) == ["drop"])
    #expect(try await rig.store.rules()[0].until == nil)
    #expect(await rig.get("unread").count("<article") == 3)
    #expect(await rig.post(path, [("do", "add")]).status == 400)
    let unnamed = await rig.post(path, [("term", "title:x"), ("action", "label"), ("do", "add")])
    #expect(unnamed.status == 400 && unnamed.text.contains("A label must have"))
    let form = [
      (name: "term", value: "title:Rivers"), (name: "action", value: "label"), (name: "do", value: "add"),
    ]
    _ = await rig.post(path, form + [("label", "later"), ("stored", "1")])
    #expect(try await rig.store.itemLabels().map(\.name) == ["later"])
    #expect(try await rig.store.rules().count == 2)
    _ = await rig.post("undo", [("from", "/unread")])
    #expect(try await rig.store.rules().count == 1)
    #expect(try await rig.store.itemLabels().isEmpty)
    #expect(await rig.post(path, form, hasToken: false).status == 403)
  }
}
