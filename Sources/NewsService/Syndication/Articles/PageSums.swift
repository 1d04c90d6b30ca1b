/// Totals of every subtree without the excluded elements, computed in one backward pass.
struct PageSums: ~Copyable {
  struct Total {
    var letters: Int32 = 0
    var links: Int32 = 0
    var commas: Int32 = 0
    /// Letters of the blocks that read like sentences.
    var prose: Int32 = 0
    /// Number of blocks that read like sentences. `paragraphs` counts all `p` elements.
    var sentences: Int32 = 0
    var paragraphs: Int32 = 0
    var images: Int32 = 0
    var inputs: Int32 = 0
    var items: Int32 = 0
    var headings: Int32 = 0

    var density: Float { letters > 0 ? Float(links) / Float(letters) : 0 }
  }

  private let totals: UnsafeMutablePointer<Total>
  private let count: Int

  init(count: Int) {
    self.count = count
    totals = .allocate(capacity: count)
    totals.initialize(repeating: Total(), count: count)
  }

  deinit {
    totals.deallocate()
  }

  @inline(__always)
  subscript(index: Int) -> Total { totals[index] }

  /// Adds up the elements for which `isLeftOut` is false.
  mutating func add(
    _ elements: UnsafeMutablePointer<PageTable.Element>,
    leavingOut out: UnsafeMutablePointer<Bool>
  ) {
    totals.update(repeating: Total(), count: count)
    var index = count - 1
    while index >= 0 {
      if !out[index] {
        addOwn(elements[index], to: index)
        if index > 0 { pass(index, to: Int(elements[index].parent)) }
      }
      index -= 1
    }
  }

  /// Adds the element's own text to its total.
  @inline(__always)
  mutating func addOwn(_ element: PageTable.Element, to index: Int) {
    totals[index].letters &+= element.own.letters
    totals[index].links &+= element.own.links
    totals[index].commas &+= element.own.commas
    if element.isProse {
      totals[index].prose &+= element.line.letters
      totals[index].sentences &+= 1
    }
    switch element.name {
    case .p: totals[index].paragraphs &+= 1
    case .img: totals[index].images &+= 1
    case .input, .textarea, .select: totals[index].inputs &+= 1
    case .li: totals[index].items &+= 1
    case .h1, .h2, .h3, .h4, .h5, .h6: totals[index].headings &+= 1
    default: break
    }
  }

  @inline(__always)
  mutating func pass(_ index: Int, to parent: Int) {
    let total = totals[index]
    totals[parent].letters &+= total.letters
    totals[parent].links &+= total.links
    totals[parent].commas &+= total.commas
    totals[parent].prose &+= total.prose
    totals[parent].sentences &+= total.sentences
    totals[parent].paragraphs &+= total.paragraphs
    totals[parent].images &+= total.images
    totals[parent].inputs &+= total.inputs
    totals[parent].items &+= total.items
    totals[parent].headings &+= total.headings
  }

  mutating func clear() {
    totals.update(repeating: Total(), count: count)
  }
}

extension PageTable.Element {
  /// True for a block that reads like sentences.
  @inline(__always)
  var isProse: Bool {
    line.letters > 80 && Float(line.links) < 0.4 * Float(line.letters) && flags.contains(.block)
  }
}
