import NewsCore
import Testing

@testable import Modules

@Suite struct `Suggestions while a query is typed` {
  private func names(_ typed: String, _ change: (inout SuggestionsPresenter.Names) -> Void) -> [String] {
    var names = SuggestionsPresenter.Names()
    change(&names)
    let word = TypedQuery.lastWord(of: typed)
    return SuggestionsPresenter().present(names, typed: typed, word: word).content?.all.map(\.name) ?? []
  }

  @Test func `A whole name comes first, then beginnings of names, of words, and the rest`() {
    let found = names("world") { names in
      names.feeds = ["Underworld", "The Courier – Breaking News, World News", "World Service"].enumerated()
        .map {
          (Feed.ID(rawValue: Int64($0.offset)), $0.element)
        }
      names.folders = ["News", "News/World", "News/Worldwide"]
      names.labels = ["world"]
      names.saved = ["Old-world"]
    }
    let expected = [
      "News/World", "world", "World Service", "News/Worldwide", "The Courier – Breaking News, World News",
      "Old-world", "Underworld",
    ]
    #expect(found == expected)
  }

  @Test func `The whole text counts more than its last word, and a kind gives its best five names`() {
    let found = names("daily co") { names in
      names.feeds = ["Comics", "Come", "Cook", "Cold", "Coast", "The Daily Courier"].enumerated().map {
        (Feed.ID(rawValue: Int64($0.offset)), $0.element)
      }
    }
    #expect(found == ["The Daily Courier", "Comics", "Come", "Cook", "Cold"])
  }
}
