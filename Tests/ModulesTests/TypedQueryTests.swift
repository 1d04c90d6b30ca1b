import Modules
import Testing

@Suite struct `Queries while they are typed` {
  @Test(arguments: [
    ("\"unclosed", true), ("a \"b c\"", false), ("title:\"open", true), ("feed:(", true), ("(a OR b", true),
    ("((a)", true), ("(a)", false), ("f(x)", false), ("5\" screen", false), ("-\"a", true), ("a)", false),
    ("„offen", true), ("«ouvert»", false), ("url:/a(b/", false), ("", false),
  ])
  func `A quotation mark or parenthesis that is open is named`(_ text: String, _ isOpen: Bool) {
    #expect((TypedQuery.gap(in: text) != nil) == isOpen, "\(text)")
  }

  @Test(arguments: [
    ("kern", "is:unread", "is:unread kern"), ("is:unread kern", "is:unread", "kern"),
    ("", "is:unread", "is:unread "),
    ("kern is:unread", "is:unread", "kern "), ("a feed:\"b c\" d", "feed:\"b c\"", "a d"),
    ("xis:unread", "is:unread", "is:unread xis:unread"),
  ])
  func `A word is added in front, or removed`(_ text: String, _ word: String, _ result: String) {
    #expect(TypedQuery.toggling(word, in: text) == result)
  }

  @Test(arguments: [
    ("a feed:Lw", "Lw"), ("label:\"re", "re"), ("word", "word"), ("word ", ""), ("", ""),
  ])
  func `The last word is what is suggested for`(_ text: String, _ word: String) {
    #expect(TypedQuery.lastWord(of: text) == word)
  }
}
