/// Remembers what names mean while one document is read.
///
/// libxml2 keeps one copy of every name for a parser, so that equal names have equal addresses: after the first look
/// at a name its meaning is found by two pointers. A document with more different names than fit is read all the
/// same, only slower.
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
  /// Namespaces and undeclared prefixes that were seen, few for any document.
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

  /// Forgets everything: the addresses belong to a parser that is gone.
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
      // An unknown default namespace: somebody's own name for RSS or Atom.
      vocabulary =
        NamespaceTable.vocabulary(uri: ByteText.buffer(space)) ?? (prefix == nil ? .core : .foreign)
    } else {
      vocabulary = NamespaceTable.vocabulary(prefix: String(cString: space)) ?? .foreign
    }
    if spaces.count < 64 { spaces.append((space, vocabulary)) }
    return vocabulary
  }
}
