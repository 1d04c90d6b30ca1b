import Testing

@testable import NewsSyndication

@Suite struct `Element table` {
  private static let names = ElementTable.rows.flatMap(\.names)

  @Test func `The prefix of each row belongs to a known vocabulary`() {
    #expect(Self.names.allSatisfy { !$0.vocabularies.contains(.foreign) })
  }

  @Test func `Names are in lower case and short enough for the lookup`() {
    for name in Self.names {
      #expect(name.local == name.local.lowercased())
      #expect(name.local.utf8.count <= 24)
    }
  }

  @Test func `A vocabulary has each name once`() {
    var seen: Set<String> = []
    for name in Self.names {
      for vocabulary in name.vocabularies {
        #expect(seen.insert("\(vocabulary):\(name.local)").inserted, "\(name.local)")
      }
    }
  }

  @Test func `The number of rows fits into one byte`() {
    #expect(ElementTable.rows.count < Int(UInt8.max))
  }

  @Test func `The field of an element name depends on its vocabulary`() throws {
    func field(_ vocabulary: Vocabulary) -> ElementRule.Field {
      "title".withCString { text in
        text.withMemoryRebound(to: UInt8.self, capacity: 6) {
          ElementTable.shared.rule(vocabulary, $0, 5).pointee.item.field
        }
      }
    }
    #expect(field(.core) == .title)
    #expect(field(.media) == .mediaTitle)
    #expect(field(.slash) == .none)
  }
}
