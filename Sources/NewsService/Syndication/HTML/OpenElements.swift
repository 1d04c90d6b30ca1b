/// The stack of open elements of sanitized HTML, innermost last.
///
/// Searching the stack for each end tag would take quadratic time. Therefore `innermost` has the last entry of each
/// element name, and each entry has the index of the previous one of its name and of each trait.
struct OpenElements: ~Copyable {
  private struct Entry {
    var element: HTMLElement
    /// True if the element's end tag came while a block inside it was open: the element ends with that block.
    var endsWithChild: Bool
    var previousSame: Int16
    var previousBarrier: Int16
    var previousSpecial: Int16
    var previousBlock: Int16
  }

  /// Maximum depth. Elements nested deeper are dropped, but their text is kept.
  static let maximumDepth = 256

  private let capacity: Int
  private let entries: UnsafeMutablePointer<Entry>
  private let innermost = UnsafeMutablePointer<Int16>.allocate(capacity: HTMLElement.count)
  private(set) var depth = 0
  /// Indices of the innermost open element with the trait `barrier`, `special` or `block`; -1 if there is none.
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

  /// True if the innermost element's end tag came earlier, while a block inside it was open.
  @inline(__always)
  var currentIsEnding: Bool { depth > 0 && entries[depth &- 1].endsWithChild }

  /// Returns the index of the innermost open `element`; -1 if there is none.
  @inline(__always)
  func index(of element: HTMLElement) -> Int { Int(innermost[Int(element.rawValue)]) }

  /// Returns the index of the open list item, term or link that a start tag of `element` ends; nil if there is none.
  @inline(__always)
  func index(endedBy element: HTMLElement) -> Int? {
    switch element {
    case .li:
      let item = index(of: .li)
      return item > special ? item : nil
    case .dd, .dt:
      let item = max(index(of: .dd), index(of: .dt))
      return item > special ? item : nil
    case .a:
      let link = index(of: .a)
      return link > barrier ? link : nil
    default:
      return nil
    }
  }

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

  /// Removes and returns the innermost element; `depth` must be above 0.
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

  /// Marks the element at `index` to end together with the block inside it.
  mutating func endWithChild(_ index: Int) {
    entries[index].endsWithChild = true
  }
}
