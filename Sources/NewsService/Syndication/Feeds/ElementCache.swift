import NewsToolbox

/// The rules of one document's elements and the vocabularies of its namespaces.
///
/// libxml2 stores each name of a parser once, so elements and namespaces are identified by their addresses. Use a new
/// cache for each parser.
struct ElementCache {
  private struct Entry {
    var name: UnsafePointer<UInt8>?
    var space: UnsafePointer<UInt8>?
    var vocabulary = Vocabulary.core
    var rule: UnsafePointer<ElementRule>
  }

  /// The last elements that were looked up. The index of an element is the hash of its addresses.
  private var entries = [Entry](
    repeating: Entry(rule: ElementTable.shared.unknown),
    count: Self.entryCount
  )
  private static let entryCount = 64

  /// Namespaces and undeclared prefixes that were looked up. Documents have few of them.
  private var spaces: [(address: UnsafePointer<UInt8>, vocabulary: Vocabulary)] = []

  private static let maximumCount = 64

  /// Returns the vocabulary and the rule of an element.
  mutating func element(
    _ name: UnsafePointer<UInt8>,
    prefix: UnsafePointer<UInt8>?,
    uri: UnsafePointer<UInt8>?
  ) -> (vocabulary: Vocabulary, rule: UnsafePointer<ElementRule>) {
    let space = uri ?? prefix
    // Use the low bits too: libxml2's dictionary stores names without alignment.
    let address = UInt(bitPattern: name) ^ UInt(bitPattern: space) &>> 3
    let index = Int((address ^ address &>> 6) & UInt(Self.entryCount - 1))
    let entry = entries[index]
    if entry.name == name, entry.space == space { return (entry.vocabulary, entry.rule) }
    let vocabulary = vocabulary(prefix: prefix, uri: uri)
    let rule = ElementTable.shared.rule(vocabulary, name, ByteText.length(name))
    entries[index] = Entry(name: name, space: space, vocabulary: vocabulary, rule: rule)
    return (vocabulary, rule)
  }

  /// Returns the vocabulary of an element. An undeclared prefix has its usual vocabulary.
  private mutating func vocabulary(prefix: UnsafePointer<UInt8>?, uri: UnsafePointer<UInt8>?) -> Vocabulary {
    guard let space = uri ?? prefix else { return .core }
    for known in spaces where known.address == space { return known.vocabulary }
    return lookUp(space, prefix: prefix, isURI: uri != nil)
  }

  @inline(never)
  private mutating func lookUp(
    _ space: UnsafePointer<UInt8>,
    prefix: UnsafePointer<UInt8>?,
    isURI: Bool
  ) -> Vocabulary {
    let vocabulary: Vocabulary
    if isURI {
      // Read an unknown default namespace as RSS or Atom.
      vocabulary =
        NamespaceTable.vocabulary(uri: ByteText.buffer(space)) ?? (prefix == nil ? .core : .foreign)
    } else {
      vocabulary = NamespaceTable.vocabulary(prefix: String(cString: space).streamSafe) ?? .foreign
    }
    if spaces.count < Self.maximumCount { spaces.append((space, vocabulary)) }
    return vocabulary
  }
}
