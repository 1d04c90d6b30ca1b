public import NewsCore

/// Shows what the last edit of an item changed.
public struct ItemDifferenceInteractor: Interactor {
  private let store: any ItemReading

  public init(store: any ItemReading) { self.store = store }

  public func respond(to id: NewsItem.ID, emit: @escaping Emit<ItemDifferenceViewModel>) async throws {
    let last = try await store.versions(of: id, newest: 1).last
    let item = try await store.item(id)
    guard let last else {
      let text = "item \(id.rawValue) has not been edited since it was stored"
      throw UserMessage(code: .nothingMatched, text: text)
    }
    try emit(.ready(ItemDifferenceViewModel(from: last, to: item)))
  }
}

/// The changes of an edit, sentence by sentence.
public struct ItemDifferenceViewModel: ScreenContent {
  public var lines: [LineDifference]
  public var rowCount: Int { lines.count }

  init(from old: ItemVersion, to item: NewsItem) {
    lines = LineDifference.lines(
      from: [old.title] + TextSentences.split(old.text),
      to: [item.title] + TextSentences.split(item.contentText)
    )
  }
}

/// One line of a difference.
public struct LineDifference: Hashable, Sendable {
  /// How the edit changed the line.
  public enum Kind: Hashable, Sendable { case same, removed, added }

  public var kind: Kind
  public var text: DisplayText

  /// Returns the shortest edit script (Myers' algorithm, from the standard library), with the unchanged lines.
  ///
  /// Compares bytes: `==` of strings uses canonical equivalence, and would hide an edit of only the form of letters.
  static func lines(from old: [String], to new: [String]) -> [LineDifference] {
    let difference = new.map { Array($0.utf8) }.difference(from: old.map { Array($0.utf8) })
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var lines: [LineDifference] = []
    var next = 0
    func takeAdded() {
      while next < new.count, added.contains(next) {
        lines.append(LineDifference(kind: .added, text: DisplayText(line: new[next])))
        next += 1
      }
    }
    for (index, line) in old.enumerated() {
      if removed.contains(index) {
        lines.append(LineDifference(kind: .removed, text: DisplayText(line: line)))
      } else {
        takeAdded()
        lines.append(LineDifference(kind: .same, text: DisplayText(line: line)))
        next += 1
      }
    }
    takeAdded()
    return lines
  }
}

/// Splits plain text into lines, and lines into sentences, for comparison.
enum TextSentences {
  /// Upper bound on the pieces; the rest of the text is one piece. It bounds the cost of the comparison.
  private static let limit = 2000

  /// Splits by Unicode scalars: a space with a combining mark after it is one `Character`, which would be lost whole.
  static func split(_ text: String) -> [String] {
    var pieces: [String] = []
    var current = String.UnicodeScalarView()
    var endsSentence = false
    for scalar in text.unicodeScalars {
      if pieces.count < limit, isNewline(scalar) || endsSentence && scalar.properties.isWhitespace {
        if !current.isEmpty { pieces.append(String(current)) }
        current = String.UnicodeScalarView()
      } else {
        current.append(scalar)
      }
      endsSentence = sentenceEnds.contains(scalar)
    }
    if !current.isEmpty { pieces.append(String(current)) }
    return pieces
  }

  private static let sentenceEnds = Array(".!?。！？".unicodeScalars)

  private static func isNewline(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n"..."\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }
}
