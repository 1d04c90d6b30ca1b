/// The open elements of sanitised HTML, innermost last.
///
/// A search of the stack for each end tag would take quadratic time, so every element knows its innermost open
/// instance, and every entry the previous one of its name and of the classes that matter.
struct OpenElements: ~Copyable {
  private struct Entry {
    var element: HTMLElement
    /// Its end tag came while a block inside it was open: it ends with that block.
    var endsWithChild: Bool
    var previousSame: Int16
    var previousBarrier: Int16
    var previousSpecial: Int16
    var previousBlock: Int16
  }

  /// Elements nested deeper are left out; their text is kept.
  static let maximumDepth = 256

  private let capacity: Int
  private let entries: UnsafeMutablePointer<Entry>
  private let innermost = UnsafeMutablePointer<Int16>.allocate(capacity: HTMLElement.count)
  private(set) var depth = 0
  /// The innermost table, cell or caption; -1: none. The others likewise.
  private(set) var barrier = -1
  private(set) var special = -1
  private(set) var block = -1

  init(capacity: Int = maximumDepth) {
    self.capacity = capacity
    entries = .allocate(capacity: capacity)
    innermost.initialize(repeating: -1, count: HTMLElement.count)
  }

  deinit {
    entries.deallocate()
    innermost.deallocate()
  }

  var isFull: Bool { depth == capacity }

  /// The innermost open element; `unknown` when none is open.
  @inline(__always)
  var current: HTMLElement { depth == 0 ? .unknown : entries[depth &- 1].element }

  /// True when the end of the innermost element has been asked for.
  @inline(__always)
  var currentIsEnding: Bool { depth > 0 && entries[depth &- 1].endsWithChild }

  /// Place of the innermost `element`; -1 when none is open.
  @inline(__always)
  func index(of element: HTMLElement) -> Int { Int(innermost[Int(element.rawValue)]) }

  @inline(__always)
  mutating func push(_ element: HTMLElement, _ traits: HTMLTraits) {
    let same = innermost[Int(element.rawValue)]
    entries[depth] = Entry(
      element: element,
      endsWithChild: false,
      previousSame: same,
      previousBarrier: Int16(truncatingIfNeeded: barrier),
      previousSpecial: Int16(truncatingIfNeeded: special),
      previousBlock: Int16(truncatingIfNeeded: block)
    )
    innermost[Int(element.rawValue)] = Int16(truncatingIfNeeded: depth)
    if traits.contains(.barrier) { barrier = depth }
    if traits.contains(.special) { special = depth }
    if traits.contains(.block) { block = depth }
    depth &+= 1
  }

  /// Takes the innermost element off; only while `depth` is above 0.
  @inline(__always)
  mutating func pop() -> HTMLElement {
    depth &-= 1
    let entry = entries[depth]
    innermost[Int(entry.element.rawValue)] = entry.previousSame
    barrier = Int(entry.previousBarrier)
    special = Int(entry.previousSpecial)
    block = Int(entry.previousBlock)
    return entry.element
  }

  /// The element at `index` shall end together with the block inside it.
  mutating func endWithChild(_ index: Int) {
    entries[index].endsWithChild = true
  }
}
