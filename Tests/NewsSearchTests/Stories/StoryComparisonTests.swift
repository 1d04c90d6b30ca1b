import NewsSearch
import NewsCore
import SeededRandom
import Testing

/// An item of a feed with the fields that are compared to find stories.
private struct Story: Sendable {
  var title: String
  var text: String
  var url: String?
  var feed: Int64 = 1
  var hours: Int64 = 0

  var candidate: StoryCandidate {
    StoryCandidate(
      fingerprint: ItemFingerprint(title: title, text: text, url: url),
      title: title,
      feedID: Feed.ID(rawValue: feed),
      time: Timestamp(seconds: 1_790_000_000 + hours * 3600)
    )
  }
}

/// Two items, and the reason why they are or are not the same story.
private struct Pair: Sendable, CustomTestStringConvertible {
  var why: String
  var a: Story
  var b: Story
  var testDescription: String { why }
}

private let agency = """
  The harbour of the northern town was closed on Monday evening after a freighter had lost forty containers in heavy \
  seas. The coast guard said that nobody was hurt, and that two tugs were on their way to the ship. Fishermen were asked \
  to stay away from the area until divers have found the containers. The owner of the ship, a company from the south, \
  did not answer questions. A spokeswoman of the town said the ferries would run again on Wednesday, if the wind allows. \
  Last winter a similar ship had lost its load near the islands, and parts of it were found on the beaches for months.
  """
private let boilerplate = """
  Every week our editors choose what they liked to read, hear and see. Write to us what you think about it, and \
  subscribe to the letter that brings it to your desk.
  """
private func release(_ version: String) -> String {
  """
  We are happy to announce version \(version) of the editor. It fixes a crash on start-up and some errors in the \
  translation. Download it from the usual place; all users are asked to update. Thanks to everyone who reported errors, \
  translated texts or tested the release candidates in the last weeks.
  """
}

@Suite struct `Finding the same story` {
  @Test(arguments: [
    Pair(
      why: "one page, linked with and without tracking",
      a: Story(
        title: "Harbour closed after storm",
        text: "Short.",
        url: "https://www.example.org/a?utm_source=rss"
      ),
      b: Story(
        title: "Harbour closed after storm",
        text: agency,
        url: "http://m.example.org/a/",
        feed: 2,
        hours: 3
      )
    ),
    Pair(
      why: "one page, the title with a site behind it",
      a: Story(title: "Harbour closed after storm", text: "", url: "https://example.org/a"),
      b: Story(
        title: "Harbour closed after storm - Example News",
        text: "",
        url: "https://example.org/a",
        feed: 2
      )
    ),
    Pair(
      why: "one page, long titles that begin with the same 512 bytes",
      a: Story(
        title: String(repeating: "harbour closed ", count: 40) + "and the ferries wait in port",
        text: "",
        url: "https://example.org/a"
      ),
      b: Story(
        title: String(repeating: "harbour closed ", count: 40) + "because of a storm from north",
        text: "",
        url: "https://example.org/a",
        feed: 2
      )
    ),
    Pair(
      why: "one page, the title with a name before it",
      a: Story(title: "Harbour closed after storm", text: "", url: "https://example.org/a"),
      b: Story(title: "Ann Lee: Harbour closed after storm", text: "", url: "https://example.org/a", feed: 2)
    ),
    Pair(
      why: "one page, a new headline over the same long text",
      a: Story(title: "Ship loses containers", text: agency, url: "https://example.org/a"),
      b: Story(title: "Northern harbour shut", text: agency, url: "https://example.org/a", feed: 2)
    ),
    Pair(
      why: "an agency's text in two papers",
      a: Story(title: "Freighter loses containers", text: agency, url: "https://a.example/1"),
      b: Story(
        title: "Freighter loses containers",
        text: agency + " (dpx)",
        url: "https://b.example/2",
        feed: 2,
        hours: 5
      )
    ),
    Pair(
      why: "one paper cuts the text short",
      a: Story(title: "Freighter loses forty containers", text: agency, url: "https://a.example/1"),
      b: Story(
        title: "Freighter loses forty containers",
        text: String(agency.prefix(180)),
        url: "https://b.example/2",
        feed: 2,
        hours: 2
      )
    ),
    Pair(
      why: "one paper cuts the last third",
      a: Story(title: "Freighter loses forty containers", text: agency, url: "https://a.example/1"),
      b: Story(
        title: "Freighter loses forty containers",
        text: String(agency.prefix(450)),
        url: "https://b.example/2",
        feed: 2,
        hours: 4
      )
    ),
    Pair(
      why: "one paper says who wrote it",
      a: Story(title: "Freighter loses forty containers", text: agency, url: "https://a.example/1"),
      b: Story(
        title: "Freighter loses forty containers",
        text: agency
          + " Reporting by Ann Lee in the northern town; editing by Bob Roe. 2026 All rights reserved.",
        url: "https://b.example/2",
        feed: 2,
        hours: 4
      )
    ),
    Pair(
      why: "a new headline over the same long text",
      a: Story(title: "Freighter loses containers in storm", text: agency, url: "https://a.example/1"),
      b: Story(
        title: "Harbour closed: ship loses containers",
        text: agency,
        url: "https://b.example/2",
        feed: 2
      )
    ),
    Pair(
      why: "the same in Chinese",
      a: Story(
        title: "北方港口因风暴关闭",
        text: "周一晚上，一艘货轮在巨浪中丢失了四十个集装箱，北方城镇的港口随后关闭。海岸警卫队表示没有人受伤，两艘拖船正在赶往现场。",
        url: "https://a.example/1"
      ),
      b: Story(
        title: "北方港口因风暴关闭",
        text: "周一晚上，一艘货轮在巨浪中丢失了四十个集装箱，北方城镇的港口随后关闭。海岸警卫队表示没有人受伤，两艘拖船正在赶往现场。",
        url: "https://b.example/2",
        feed: 2
      )
    ),
    Pair(
      why: "one feed gives an item twice",
      a: Story(title: "Harbour closed after storm", text: agency, url: "https://example.org/a"),
      b: Story(
        title: "Harbour closed after storm",
        text: agency,
        url: "https://example.org/a?ref=home",
        hours: 1
      )
    ),
  ])
  fileprivate func `These items tell the same story and share a lookup key`(_ pair: Pair) {
    #expect(StoryComparison.tellSameStory(pair.a.candidate, pair.b.candidate))
    #expect(StoryComparison.tellSameStory(pair.b.candidate, pair.a.candidate))
    #expect(
      !Set(StoryComparison.searchKeys(of: pair.a.candidate)).isDisjoint(
        with: pair.b.candidate.fingerprint.keys
      )
    )
    #expect(
      !Set(StoryComparison.searchKeys(of: pair.b.candidate)).isDisjoint(
        with: pair.a.candidate.fingerprint.keys
      )
    )
  }

  @Test func `For short titles and texts, search keys find every story that all keys of an item would find`()
  {
    var random = SeededRandom(seed: 7)
    let words = ["storm", "harbour", "2", "closed", "ship", "ii", "again", "port", "the", "crew"]
    func phrase(_ count: Int) -> String {
      (0..<count).map { words[$0 * 7 % words.count] }.joined(separator: " ")
    }
    var found = 0
    for _ in 0..<8_000 {
      let length = random.next(upTo: 90)
      let titleLength = random.next(upTo: 9)
      func story() -> StoryCandidate {
        Story(
          title: phrase(random.next(upTo: 4) == 0 ? random.next(upTo: 9) : titleLength),
          text: phrase(random.next(upTo: 4) == 0 ? random.next(upTo: 90) : length),
          url: random.next(upTo: 3) == 0 ? nil : "https://example.org/\(random.next(upTo: 3))",
          feed: Int64(random.next(upTo: 2)),
          hours: Int64(random.next(upTo: 20))
        ).candidate
      }
      let (new, old) = (story(), story())
      let stored = old.fingerprint.keys
      guard StoryComparison.tellSameStory(new, old), !Set(new.fingerprint.keys).isDisjoint(with: stored)
      else { continue }
      found += 1
      #expect(!Set(StoryComparison.searchKeys(of: new)).isDisjoint(with: stored), "\(new) \(old)")
    }
    #expect(found > 1000)
  }

  @Test func `Items with times of any numbers are compared`() {
    let new = Story(title: "The harbour is closed", text: agency, url: "https://example.org/a").candidate
    for seconds in [Int64.min, .min + new.time.seconds, .max] {
      var old = new
      old.time = Timestamp(seconds: seconds)
      #expect(!StoryComparison.tellSameStory(new, old))
    }
  }

  @Test(arguments: [
    Pair(
      why: "a weekly column in one feed",
      a: Story(title: "What we liked", text: boilerplate, url: "https://example.org/liked-1"),
      b: Story(title: "What we liked", text: boilerplate, url: "https://example.org/liked-2", hours: 168)
    ),
    Pair(
      why: "a daily column in two feeds of one paper",
      a: Story(title: "What we liked today", text: boilerplate, url: "https://example.org/liked-1"),
      b: Story(
        title: "What we liked today",
        text: boilerplate,
        url: "https://example.org/liked-2",
        feed: 2,
        hours: 24
      )
    ),
    Pair(
      why: "a weekly show with one page",
      a: Story(title: "The weekly show", text: boilerplate, url: "https://example.org/show"),
      b: Story(title: "The weekly show", text: boilerplate, url: "https://example.org/show", hours: 168)
    ),
    Pair(
      why: "a weekly show with one page, in two feeds",
      a: Story(title: "The weekly show", text: boilerplate, url: "https://example.org/show"),
      b: Story(
        title: "The weekly show",
        text: boilerplate,
        url: "https://example.org/show",
        feed: 2,
        hours: 168
      )
    ),
    Pair(
      why: "versions of one program",
      a: Story(title: "Editor 2.4.1 released", text: release("2.4.1"), url: "https://example.org/releases"),
      b: Story(
        title: "Editor 2.4.2 released",
        text: release("2.4.2"),
        url: "https://example.org/releases",
        feed: 2
      )
    ),
    Pair(
      why: "versions of one program, told apart only by the text",
      a: Story(title: "A new editor is released", text: release("2.4.1"), url: "https://a.example/1"),
      b: Story(
        title: "A new editor is released",
        text: release("2.4.2"),
        url: "https://b.example/2",
        feed: 2,
        hours: 2
      )
    ),
    Pair(
      why: "a beta and the release",
      a: Story(title: "Editor 3 beta is out", text: agency, url: "https://a.example/1"),
      b: Story(title: "Editor 3 is out", text: agency, url: "https://b.example/2", feed: 2)
    ),
    Pair(
      why: "days of the week",
      a: Story(title: "Open thread for Tuesday", text: boilerplate, url: "https://a.example/1"),
      b: Story(title: "Open thread for Wednesday", text: boilerplate, url: "https://b.example/2", feed: 2)
    ),
    Pair(
      why: "parts of a series",
      a: Story(title: "The long road, part II", text: boilerplate, url: "https://a.example/1"),
      b: Story(title: "The long road, part III", text: boilerplate, url: "https://b.example/2", feed: 2)
    ),
    Pair(
      why: "earthquakes",
      a: Story(title: "M 4.5 - 10 km N of Town", text: "Depth 10 km.", url: "https://a.example/1"),
      b: Story(title: "M 4.6 - 10 km N of Town", text: "Depth 10 km.", url: "https://b.example/2", feed: 2)
    ),
    Pair(
      why: "results that differ in figures of the text only",
      a: Story(
        title: "Results of the town's league",
        text: boilerplate + " North 2, South 1.",
        url: "https://a.example/1"
      ),
      b: Story(
        title: "Results of the town's league",
        text: boilerplate + " North 0, South 3.",
        url: "https://b.example/2",
        feed: 2
      )
    ),
    Pair(
      why: "one column with other contents under the same words",
      a: Story(
        title: "What we liked this morning",
        text: boilerplate
          + " Today: a film about a lighthouse, two songs from the islands and a book on bread.",
        url: "https://a.example/1"
      ),
      b: Story(
        title: "What we liked this morning",
        text: boilerplate
          + " Today: poems by a farmer. A museum of clocks. The longest bridge that was never "
          + "built, and a radio play in which nobody speaks for an hour but the rain.",
        url: "https://b.example/2",
        feed: 2,
        hours: 3
      )
    ),
    Pair(
      why: "links to one home page",
      a: Story(title: "Meeting moved", text: "The meeting is at noon.", url: "https://example.org/"),
      b: Story(title: "Bake sale", text: "Cakes on Sunday.", url: "https://example.org", feed: 2)
    ),
    Pair(
      why: "different news on one live page",
      a: Story(title: "Ferry service stopped by wind", text: "No ships.", url: "https://example.org/live"),
      b: Story(
        title: "Mayor opens new library",
        text: "Books for all.",
        url: "https://example.org/live",
        feed: 2
      )
    ),
    Pair(
      why: "episodes of a show with one page",
      a: Story(title: "Our episode on cats", text: agency, url: "https://example.org/episodes"),
      b: Story(title: "Our episode on dogs", text: release("5"), url: "https://example.org/episodes", feed: 2)
    ),
    Pair(
      why: "episodes with the words that stand under each of them",
      a: Story(title: "Our episode on cats", text: boilerplate, url: "https://example.org/episodes"),
      b: Story(
        title: "Our episode on dogs",
        text: boilerplate + " Good night.",
        url: "https://example.org/episodes",
        feed: 2
      )
    ),
    Pair(
      why: "episodes without texts",
      a: Story(title: "Our episode on cats", text: "", url: "https://example.org/episodes"),
      b: Story(title: "Our episode on dogs", text: "", url: "https://example.org/episodes", feed: 2)
    ),
    Pair(
      why: "a title within another, over other texts",
      a: Story(title: "Notes from the harbour", text: agency, url: "https://example.org/notes"),
      b: Story(
        title: "More notes from the harbour",
        text: release("x") + boilerplate,
        url: "https://example.org/notes",
        feed: 2
      )
    ),
    Pair(
      why: "short titles without texts",
      a: Story(title: "Weather", text: "", url: "https://a.example/1"),
      b: Story(title: "Weather", text: "", url: "https://b.example/2", feed: 2)
    ),
    Pair(
      why: "no titles and no texts",
      a: Story(title: "", text: "", url: nil),
      b: Story(title: "", text: "", url: nil, feed: 2)
    ),
    Pair(
      why: "one headline, other texts",
      a: Story(title: "Storm closes the northern harbour", text: agency, url: "https://a.example/1"),
      b: Story(
        title: "Storm closes the northern harbour",
        text: release("5"),
        url: "https://b.example/2",
        feed: 2
      )
    ),
    Pair(
      why: "a year later",
      a: Story(title: "Freighter loses containers", text: agency, url: "https://a.example/1"),
      b: Story(
        title: "Freighter loses containers",
        text: agency,
        url: "https://b.example/2",
        feed: 2,
        hours: 8760
      )
    ),
  ])
  fileprivate func `These items tell different stories`(_ pair: Pair) {
    #expect(!StoryComparison.tellSameStory(pair.a.candidate, pair.b.candidate))
    #expect(!StoryComparison.tellSameStory(pair.b.candidate, pair.a.candidate))
  }

  @Test func `A fingerprint is unchanged after storing and reading it`() {
    for story in [
      Story(title: "Harbour closed", text: agency, url: "https://example.org/a"),
      Story(title: "", text: "", url: nil),
      Story(title: "x", text: "y", url: "https://example.org"),
    ] {
      let fingerprint = story.candidate.fingerprint
      #expect(fingerprint.bytes.withUnsafeBytes { ItemFingerprint(bytes: $0) } == fingerprint)
    }
    #expect([UInt8](1...3).withUnsafeBytes { ItemFingerprint(bytes: $0) } == nil)
  }

  @Test func `Changing a word changes few bits of the fingerprint; another text changes many`() {
    let one = ItemFingerprint(title: "Harbour", text: agency, url: nil)
    let edited = ItemFingerprint(title: "Harbour", text: agency.replacing("hurt", with: "injured"), url: nil)
    let other = ItemFingerprint(title: "Editor", text: release("2") + boilerplate, url: nil)
    #expect(one.distance(to: edited) <= 6)
    #expect(one.distance(to: other) >= 16)
  }

  @Test func `Fingerprints do not depend on the run or the machine`() {
    let fingerprint = ItemFingerprint(
      title: "Harbour closed",
      text: agency,
      url: "https://www.example.org/a?utm_x=1"
    )
    #expect(fingerprint.url == 15_721_225_195_148_085_761)
    #expect(fingerprint.similarity == 14_729_386_561_272_966_204)
  }
}

extension ItemFingerprint {
  fileprivate init(title: String, text: String, url: String?) {
    self.init(title: TokenStream(title), text: TokenStream(text), url: url)
  }
}
