import NewsCore
import Testing

@testable import Modules

@Suite struct `The versions of an item` {
  /// An item with earlier versions.
  private struct Edited: ItemReading, PartialFake {
    var item: NewsItem
    var versions: [ItemVersion]

    func item(_ id: NewsItem.ID) async throws(StoreError) -> NewsItem {
      guard id == item.id else {
        throw StoreError(code: .noSuchItem, message: "there is no item \(id.rawValue)")
      }
      return item
    }
    func versions(of id: NewsItem.ID, newest count: Int) async throws(StoreError) -> [ItemVersion] {
      _ = try await item(id)
      return versions.suffix(count)
    }
  }

  private func edited(_ texts: String..., title: String = "Title") -> Edited {
    var item = NewsItem.sample(7, title)
    item.contentText = texts.last ?? ""
    let versions = texts.dropLast().enumerated().map { index, text in
      ItemVersion(number: index + 1, replaced: .noon, title: "Title", text: text)
    }
    return Edited(item: item, versions: versions)
  }

  /// The lines of the difference: ` ` unchanged, `-` removed, `+` added.
  private func difference(_ store: Edited) async throws -> [String] {
    let seen = try await emitted(ItemDifferenceInteractor(store: store), store.item.id)
    return (seen.content?.lines ?? []).map { line in
      switch line.kind {
      case .same: " \(line.text.string)"
      case .removed: "-\(line.text.string)"
      case .added: "+\(line.text.string)"
      }
    }
  }

  @Test func `The current version comes last, with the next number and without an end`() async throws {
    let store = edited("One.", "Two.", "Three.")
    let seen = try await emitted(ItemVersionsInteractor(store: store), store.item.id)
    let records = seen.content?.lines.map(\.record) ?? []
    #expect(records.map(\.number) == [1, 2, 3])
    #expect(records.map(\.replaced) == [.noon, .noon, nil])
    #expect(records.map(\.text) == ["One.", "Two.", "Three."])
  }

  @Test func `A note says that older versions are left out`() async throws {
    var store = edited("One.", "Two.", "Three.")
    let whole = try await emitted(ItemVersionsInteractor(store: store), store.item.id)
    #expect(whole.content?.notes.isEmpty == true)
    store.versions.removeFirst()
    let cut = try await emitted(ItemVersionsInteractor(store: store), store.item.id)
    #expect(cut.content?.notes.map { $0.string.hasPrefix("older versions are left out") } == [true])
  }

  @Test func `The versions and the difference of an unknown item are errors`() async throws {
    let store = edited("One.", "Two.")
    let unknown = NewsItem.ID(rawValue: 8)
    #expect(try await emitted(ItemVersionsInteractor(store: store), unknown).failure?.code == .notFound)
    #expect(try await emitted(ItemDifferenceInteractor(store: store), unknown).failure?.code == .notFound)
  }

  @Test func `An item without an edit has no difference, which is exit status 1`() async throws {
    let store = edited("One.")
    let seen = try await emitted(ItemDifferenceInteractor(store: store), store.item.id)
    #expect(seen.failure?.code == .nothingMatched)
  }

  @Test func `The difference compares the last two versions sentence by sentence`() async throws {
    let found = try await difference(edited("Old.", "Same. Was so! And\nmore", "Same. Is so! And\nmore"))
    #expect(found == [" Title", " Same.", "-Was so!", "+Is so!", " And", " more"])
  }

  @Test func `A space with a combining mark after it separates sentences, and the mark is kept`() async throws
  {
    let found = try await difference(edited("One. \u{301}Two.", "One. \u{301}Three."))
    #expect(found == [" Title", " One.", "-\u{301}Two.", "+\u{301}Three."])
  }

  @Test func `A full stop with a combining mark after it does not end a sentence`() async throws {
    let found = try await difference(edited("One.\u{301} Two.", "One.\u{301} Three."))
    #expect(found == [" Title", "-One.\u{301} Two.", "+One.\u{301} Three."])
  }

  @Test func `An edit of only the normalization form of a letter is a difference`() async throws {
    let found = try await difference(edited("Caf\u{E9}.", "Cafe\u{301}."))
    let bytes = found.map { Array($0.utf8) }
    #expect(bytes == [" Title", "-Caf\u{E9}.", "+Cafe\u{301}."].map { Array($0.utf8) })
  }

  @Test func `Text beyond 2,000 pieces is compared as one`() async throws {
    let start = String(repeating: "A.\n", count: 1999)
    let found = try await difference(edited(start + "B. C. D.", start + "B. C. E."))
    #expect(found.suffix(2) == ["-C. D.", "+C. E."])
  }
}
