import NewsToolbox

/// Finds the elements of a page that match selectors, in time linear in the page for each condition of a selector. In a
/// cancelled task, it ends early, with any result.
struct SelectorMatcher: ~Copyable {
  typealias Element = PageTable.Element

  private let elements: UnsafeMutablePointer<Element>
  private let count: Int
  private let page: UnsafePointer<UInt8>
  private var places: SiblingPlaces?

  init(_ elements: UnsafeMutablePointer<Element>, count: Int, page: UnsafePointer<UInt8>) {
    self.elements = elements
    self.count = count
    self.page = page
  }

  /// Indices of the matching elements in document order.
  mutating func matches(_ list: SelectorList) -> [Int] {
    var found = [Bool](repeating: false, count: count)
    for selector in list.selectors { match(selector, &found) }
    return found.indices.filter { found[$0] }
  }

  /// Marks the elements that match one selector. Keeps four masks of steps for each element: the steps that
  /// match the element itself, an ancestor, its last child so far, and any child so far.
  private mutating func match(_ selector: Selector, _ found: inout [Bool]) {
    let tests = selector.steps.map { prepared($0.compound) }
    var own = [UInt64](repeating: 0, count: count)
    var above = [UInt64](repeating: 0, count: count)
    var last = [UInt64](repeating: 0, count: count)
    var elder = [UInt64](repeating: 0, count: count)
    let goal: UInt64 = 1 << UInt64(selector.steps.count - 1)
    for index in 1..<max(count, 1) {
      if Self.endsEarly(at: index) { return }
      let parent = Int(elements[index].parent)
      above[index] = above[parent] | own[parent]
      var mask: UInt64 = 0
      for (step, test) in tests.enumerated() {
        let bit: UInt64 = 1 << UInt64(step)
        if step > 0 {
          let before = bit >> 1
          let reached =
            switch selector.steps[step].combinator {
            case .descendant: above[index]
            case .child: own[parent]
            case .next: last[parent]
            case .later: elder[parent]
            }
          guard reached & before != 0 else { continue }
        }
        if holds(test, index) { mask |= bit }
      }
      own[index] = mask
      last[parent] = mask
      elder[parent] |= mask
      if mask & goal != 0 { found[index] = true }
    }
  }

  private static func endsEarly(at index: Int) -> Bool { index % 1024 == 0 && Task.isCancelled }

  // MARK: Compounds

  /// A compound and, for each of its `:has()`, the elements that match.
  private struct Test {
    var compound: Selector.Compound
    var inner: [[Bool]]
  }

  private mutating func prepared(_ compound: Selector.Compound) -> Test {
    let needsPlaces = !compound.places.isEmpty || compound.excluded.contains { !$0.places.isEmpty }
    if needsPlaces, places == nil { places = SiblingPlaces(elements, count: count, page: page) }
    return Test(compound: compound, inner: compound.inner.map { holders(of: $0) })
  }

  /// Returns, for each element, whether a `:has()` with these selectors matches it.
  private mutating func holders(of selectors: [Selector]) -> [Bool] {
    var result = [Bool](repeating: false, count: count)
    for selector in selectors {
      // The elements that match the rest of the selector, computed from the last step to the first.
      var reached: [Bool]?
      for step in selector.steps.reversed() {
        let test = prepared(step.compound)
        var matching = [Bool](repeating: false, count: count)
        for index in 1..<max(count, 1) where reached?[index] ?? true {
          if Self.endsEarly(at: index) { return result }
          matching[index] = holds(test, index)
        }
        reached = related(matching, by: step.combinator)
      }
      if let reached { for index in result.indices where reached[index] { result[index] = true } }
    }
    return result
  }

  /// Returns, for each element, whether a marked element has the relation `combinator` to it.
  private func related(_ marked: [Bool], by combinator: Selector.Combinator) -> [Bool] {
    var result = [Bool](repeating: false, count: count)
    switch combinator {
    case .descendant:
      var index = count - 1
      while index > 0 {
        if marked[index] || result[index] { result[Int(elements[index].parent)] = true }
        index -= 1
      }
    case .child:
      for index in 1..<max(count, 1) where marked[index] { result[Int(elements[index].parent)] = true }
    case .next, .later:
      // For each parent, the mark of the child that was visited last. Children are visited from last to first.
      var next = [Bool](repeating: false, count: count)
      var index = count - 1
      while index > 0 {
        let parent = Int(elements[index].parent)
        result[index] = next[parent]
        next[parent] = marked[index] || combinator == .later && next[parent]
        index -= 1
      }
    }
    return result
  }

  private func holds(_ test: Test, _ index: Int) -> Bool {
    guard holds(test.compound, index) else { return false }
    return test.inner.allSatisfy { $0[index] }
  }

  private func holds(_ compound: Selector.Compound, _ index: Int) -> Bool {
    let tag = TagReader(page, elements[index])
    if let type = compound.type, !tag.isNamed(type) { return false }
    if let places, !compound.places.allSatisfy({ places.holds($0, index) }) { return false }
    if !compound.ids.isEmpty || !compound.classes.isEmpty || !compound.attributes.isEmpty,
      !hasAttributes(compound, tag)
    {
      return false
    }
    return !compound.excluded.contains { holds($0, index) }
  }

  private func hasAttributes(_ compound: Selector.Compound, _ tag: TagReader) -> Bool {
    compound.ids.allSatisfy { id in tag.value("id")?.elementsEqual(id) ?? false }
      && compound.classes.allSatisfy { name in tag.value("class").map { Self.words($0, hold: name) } ?? false
      }
      && compound.attributes.allSatisfy { matches($0, tag) }
  }

  private func matches(_ attribute: Selector.Attribute, _ tag: TagReader) -> Bool {
    guard var value = tag.value(attribute.name) else { return false }
    var wanted = attribute.value
    if attribute.ignoresCase {
      value = value.map(ASCII.lowercase)
      wanted = wanted.map(ASCII.lowercase)
    }
    switch attribute.match {
    case .exists: return true
    case .equals: return value == wanted
    case .word: return Self.words(value, hold: wanted)
    case .dashed: return value == wanted || value.starts(with: wanted + [UInt8(ascii: "-")])
    case .prefix: return !wanted.isEmpty && value.starts(with: wanted)
    case .suffix: return !wanted.isEmpty && value.reversed().starts(with: wanted.reversed())
    case .part: return !wanted.isEmpty && Self.contains(value, wanted)
    }
  }

  private static func words(_ value: [UInt8], hold word: [UInt8]) -> Bool {
    !word.isEmpty && value.split(whereSeparator: ASCII.isSpace).contains { $0.elementsEqual(word) }
  }

  private static func contains(_ value: [UInt8], _ part: [UInt8]) -> Bool {
    value.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress, part.count <= bytes.count else { return false }
      var position = start
      while let found = ByteScan.find(part[0], position, start + bytes.count - part.count + 1) {
        if UnsafeBufferPointer(start: found, count: part.count).elementsEqual(part) { return true }
        position = found + 1
      }
      return false
    }
  }
}

/// Positions of elements among their siblings, from both ends, among all and among those of the same type.
private struct SiblingPlaces {
  private var fromStart: [Int32]
  private var fromEnd: [Int32]
  private var typeFromStart: [Int32]
  private var typeFromEnd: [Int32]

  init(
    _ elements: UnsafeMutablePointer<PageTable.Element>,
    count: Int,
    page: UnsafePointer<UInt8>
  ) {
    func counted(_ indices: some Sequence<Int>, key: (Int) -> UInt64) -> [Int32] {
      var result = [Int32](repeating: 1, count: count)
      var seen: [UInt64: Int32] = [:]
      for index in indices {
        let number = seen[key(index), default: 0] + 1
        seen[key(index)] = number
        result[index] = number
      }
      return result
    }
    let forwards = 1..<max(count, 1)
    let parents: (Int) -> UInt64 = { UInt64(UInt32(bitPattern: elements[$0].parent)) }
    let types: (Int) -> UInt64 = { index in
      let name = elements[index].name
      let type = name == .unknown ? TagReader(page, elements[index]).nameHash : UInt64(name.rawValue)
      return parents(index) << 32 | type & 0xFFFF_FFFF
    }
    fromStart = counted(forwards, key: parents)
    fromEnd = counted(forwards.reversed(), key: parents)
    typeFromStart = counted(forwards, key: types)
    typeFromEnd = counted(forwards.reversed(), key: types)
  }

  func holds(_ place: Selector.Place, _ index: Int) -> Bool {
    let position =
      place.isOfType
      ? place.isFromEnd ? typeFromEnd[index] : typeFromStart[index]
      : place.isFromEnd ? fromEnd[index] : fromStart[index]
    return place.holds(Int(position))
  }
}
