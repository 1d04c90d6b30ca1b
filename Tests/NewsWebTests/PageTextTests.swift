import Testing

@testable import NewsWeb

@Suite struct `Web page: texts` {
  @Test func `Texts of the page name no commands`() {
    for (text, shown) in [
      (
        "gone for good; its items are kept. 'newsd feeds set 7 url=URL' gives it a new address, 'newsd fetch 7' asks again.",
        "gone for good; its items are kept."
      ),
      ("Raise the interval: 'newsd feeds set 7 minimum-interval=2h'.", "Raise the interval."),
      ("there is no rule 3; 'newsd rules' lists them", "there is no rule 3"),
      ("The server refuses the name; check --user and the API password", "The server refuses the name"),
      ("'newsd help' lists them", "'newsd help' lists them"),
      ("at 12:30: two; three.", "at 12:30: two; three."),
    ] { #expect(PageText.withoutCommands(text) == shown) }
  }
}
