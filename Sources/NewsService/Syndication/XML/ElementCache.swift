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
    let (element, vocabulary) = Self.classify(name, prefix: prefix, uri: uri)
    if used < Self.size * 3 / 4 {
      slots[index] = Slot(name: name, space: space, element: element, vocabulary: vocabulary)
      used += 1
    }
    return (element, vocabulary)
  }

  @inline(never)
  private static func classify(
    _ name: UnsafePointer<UInt8>,
    prefix: UnsafePointer<UInt8>?,
    uri: UnsafePointer<UInt8>?
  ) -> (FeedElement, Vocabulary) {
    let vocabulary: Vocabulary
    if let uri {
      let known = NamespaceTable.vocabulary(uri: ByteText.buffer(uri))
      // An unknown default namespace: somebody's own name for RSS or Atom.
      vocabulary = known ?? (prefix == nil ? .core : .foreign)
    } else if let prefix {
      vocabulary = NamespaceTable.vocabulary(prefix: String(cString: prefix)) ?? .foreign
    } else {
      vocabulary = .core
    }
    return (ElementTable.shared.element(vocabulary, name, ByteText.length(name)), vocabulary)
  }
}
