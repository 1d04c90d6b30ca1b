/// Caches the meaning of element names while one document is read.
///
/// libxml2 interns the names of a parser: equal names have equal addresses, so two pointers find the meaning. Names
/// beyond the size of the cache are looked up again each time.
struct ElementCache: ~Copyable {
  private struct Slot {
    var name: UnsafePointer<UInt8>?
    var space: UnsafePointer<UInt8>?
    var element: FeedElement
    var vocabulary: Vocabulary
  }

  private static let size = 512
  private let slots: UnsafeMutablePointer<Slot>
  private var used = 0
  /// Namespaces and undeclared prefixes seen so far; documents have few.
  private var spaces: [(address: UnsafePointer<UInt8>, vocabulary: Vocabulary)] = []

  init() {
    slots = UnsafeMutablePointer<Slot>.allocate(capacity: Self.size)
    slots.initialize(
      repeating: Slot(name: nil, space: nil, element: .unknown, vocabulary: .foreign),
      count: Self.size
    )
  }

  deinit {
    slots.deallocate()
  }

  /// Call this when the parser is freed: the addresses belong to it.
  mutating func removeAll() {
    slots.update(
      repeating: Slot(name: nil, space: nil, element: .unknown, vocabulary: .foreign),
      count: Self.size
    )
    used = 0
    spaces = []
  }

  /// `space` is the namespace's URI, or for an undeclared one the prefix.
  @inline(__always)
  mutating func lookUp(
    _ name: UnsafePointer<UInt8>,
    prefix: UnsafePointer<UInt8>?,
    uri: UnsafePointer<UInt8>?
  ) -> (FeedElement, Vocabulary) {
    let space = uri ?? prefix
    let mixed = (UInt(bitPattern: name) ^ (UInt(bitPattern: space) &<< 3)) &* 0x9E37_79B9_7F4A_7C15
    var index = Int(truncatingIfNeeded: mixed &>> 55)
    while let known = slots[index].name {
      if known == name, slots[index].space == space { return (slots[index].element, slots[index].vocabulary) }
      index = (index &+ 1) & (Self.size &- 1)
    }
    let vocabulary = vocabulary(prefix: prefix, uri: uri)
    let element = ElementTable.shared.element(vocabulary, name, ByteText.length(name))
    if used < Self.size * 3 / 4 {
      slots[index] = Slot(name: name, space: space, element: element, vocabulary: vocabulary)
      used += 1
    }
    return (element, vocabulary)
  }

  @inline(never)
  private mutating func vocabulary(prefix: UnsafePointer<UInt8>?, uri: UnsafePointer<UInt8>?) -> Vocabulary {
    guard let space = uri ?? prefix else { return .core }
    if let known = spaces.first(where: { $0.address == space }) { return known.vocabulary }
    let vocabulary: Vocabulary
    if uri != nil {
      // An unknown default namespace is a private name for RSS or Atom.
      vocabulary =
        NamespaceTable.vocabulary(uri: ByteText.buffer(space)) ?? (prefix == nil ? .core : .foreign)
    } else {
      vocabulary = NamespaceTable.vocabulary(prefix: String(cString: space)) ?? .foreign
    }
    if spaces.count < 64 { spaces.append((space, vocabulary)) }
    return vocabulary
  }
}
