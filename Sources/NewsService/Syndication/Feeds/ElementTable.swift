import NewsToolbox

/// Finds the rule of an element by vocabulary and name.
///
/// Rules are passed as pointers, because every open element has one; they are created once and never freed.
/// Immutable after `init`, hence safe to share.
struct ElementTable: @unchecked Sendable {
  static let shared = ElementTable()

  let unknown = Self.permanent([ElementRule(kind: .unknown)])
  let foreign = Self.permanent([ElementRule(kind: .foreign)])
  let markup = Self.permanent([ElementRule(kind: .markup)])
  /// In the order of `ElementTable.rows`.
  private let rules: UnsafePointer<ElementRule>
  /// For each vocabulary, a table that maps names to rule numbers, counted from 1. Nil for a vocabulary without
  /// names.
  private let numbers: [NameTable?]

  /// Returns the rule of an element. If no row names the element, returns `unknown` or `foreign`.
  func rule(_ vocabulary: Vocabulary, _ name: UnsafePointer<UInt8>, _ length: Int) -> UnsafePointer<
    ElementRule
  > {
    let number = numbers[Int(vocabulary.rawValue)]?.value(name, length) ?? 0
    if number > 0 { return rules + Int(number) - 1 }
    return vocabulary == .core || vocabulary == .atom ? unknown : foreign
  }

  private init() {
    var names = [[(name: String, value: UInt8)]](repeating: [], count: Int(Vocabulary.foreign.rawValue) + 1)
    for (index, row) in Self.rows.enumerated() {
      for name in row.names {
        for vocabulary in name.vocabularies {
          names[Int(vocabulary.rawValue)].append((name.local, UInt8(index + 1)))
        }
      }
    }
    rules = Self.permanent(Self.rows.map(\.rule))
    numbers = names.map { $0.isEmpty ? nil : NameTable($0) }
  }

  private static func permanent(_ rules: [ElementRule]) -> UnsafePointer<ElementRule> {
    let memory = UnsafeMutablePointer<ElementRule>.allocate(capacity: rules.count)
    memory.initialize(from: rules, count: rules.count)
    return UnsafePointer(memory)
  }

  /// A row of the table: the names of elements with one meaning, and that meaning.
  struct Row {
    /// The local names in lower case, each with its vocabularies.
    let names: [(vocabularies: [Vocabulary], local: String)]
    let rule: ElementRule

    /// `names` has the names in lower case, with the usual prefix of the vocabulary; names of RSS and Atom
    /// have none. `all` is the target for items, feeds and sources; `others` is the target for sources and
    /// images.
    init(
      _ names: String,
      _ text: TextType? = nil,
      kind: ElementRule.Kind = .field,
      all: ElementRule.Target? = nil,
      item: ElementRule.Target? = nil,
      feed: ElementRule.Target? = nil,
      others: ElementRule.Target? = nil,
      source: ElementRule.Target? = nil,
      image: ElementRule.Target? = nil,
      person: ElementRule.Target? = nil
    ) {
      self.names = names.split(ascii: " ").map { name in
        let parts = name.split(ascii: ":").map(String.init)
        guard parts.count == 2 else { return ([.core, .atom], parts[0]) }
        return ([NamespaceTable.vocabulary(prefix: parts[0]) ?? .foreign], parts[1])
      }
      rule = ElementRule(
        kind: kind,
        text: text,
        item: item ?? all ?? .init(),
        feed: feed ?? all ?? .init(),
        source: source ?? others ?? all ?? .init(),
        image: image ?? others ?? .init(),
        person: person ?? .init()
      )
    }
  }
}
