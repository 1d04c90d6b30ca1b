/// The vocabularies of one document's namespaces.
///
/// libxml2 interns the names of a parser, so a namespace is known by its address. Use a new cache for each parser.
struct VocabularyCache {
  /// Namespaces and undeclared prefixes seen so far; documents have few.
  private var spaces: [(address: UnsafePointer<UInt8>, vocabulary: Vocabulary)] = []

  private static let maximumCount = 64

  /// The vocabulary of an element. An undeclared prefix has its usual meaning.
  @inline(__always)
  mutating func vocabulary(prefix: UnsafePointer<UInt8>?, uri: UnsafePointer<UInt8>?) -> Vocabulary {
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
      // An unknown default namespace is a private name for RSS or Atom.
      vocabulary =
        NamespaceTable.vocabulary(uri: ByteText.buffer(space)) ?? (prefix == nil ? .core : .foreign)
    } else {
      vocabulary = NamespaceTable.vocabulary(prefix: String(cString: space)) ?? .foreign
    }
    if spaces.count < Self.maximumCount { spaces.append((space, vocabulary)) }
    return vocabulary
  }
}
