/// The elements of a page in document order: a tree without pointers.
///
/// An element's descendants follow it, up to `end`. A subtree is therefore a range, and totals of all subtrees need
/// only one backward pass.
struct PageTable: ~Copyable {
  struct Flags: OptionSet {
    let rawValue: UInt16

    /// The page hides the element.
    static let hidden = Flags(rawValue: 1)
    /// The element's ARIA role does not occur in articles.
    static let foreignRole = Flags(rawValue: 1 << 1)
    /// The element has `itemprop=articleBody`.
    static let articleBody = Flags(rawValue: 1 << 2)
    /// The element contains blocks.
    static let hasBlocks = Flags(rawValue: 1 << 3)
    /// The element is a block: it begins and ends a line of text.
    static let block = Flags(rawValue: 1 << 4)
    /// The element formats text and is not a block: `b`, `a`, `span`.
    static let inline = Flags(rawValue: 1 << 5)
    /// The element is a table with a `th`, `caption` or `thead`, so it holds data.
    static let dataTable = Flags(rawValue: 1 << 6)
    /// For `tr`: it has a `td`. For `table`: a row has at least two.
    static let hasCell = Flags(rawValue: 1 << 7)
    /// The element is within `pre`, `code` or a table, where no class or id excludes an element.
    static let isLiteral = Flags(rawValue: 1 << 8)
    /// The element has `rel=author` or `itemprop=author`.
    static let author = Flags(rawValue: 1 << 9)
  }

  struct Element {
    var name = HTMLElement.unknown
    /// The score of the element's class and id: −50 to 50.
    var weight: Int8 = 0
    var flags: Flags = []
    var meaning: NameMeaning = []
    /// Number of empty lines that `br` elements make; in a table, the number of its rows.
    var breaks: UInt16 = 0
    var parent: Int32 = 0
    /// Index after the last descendant.
    var end: Int32 = 0
    // Offsets in the page: the start tag, the content's start and end, the byte after the end tag.
    var start: Int32 = 0
    var contentStart: Int32 = 0
    var contentEnd: Int32 = 0
    var stop: Int32 = 0
    /// Counts of the text directly inside the element.
    var own = TextCount()
    /// For a block: counts of its text, including inline elements but not nested blocks.
    var line = TextCount()
  }

  /// Counts of letters in rendered text: white space is collapsed, and each Chinese, Japanese or Korean character
  /// counts as two.
  struct TextCount {
    var letters: Int32 = 0
    /// Letters in links. Letters in a link to the same page count a third.
    var links: Int32 = 0
    var commas: Int32 = 0
  }

  /// Maximum number of elements. The text of an element beyond it counts for the enclosing element.
  static let maximumCount = 200_000
  static let maximumDepth = 512

  private(set) var elements: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity = 1024

  init() {
    elements = .allocate(capacity: capacity)
  }

  deinit {
    elements.deallocate()
  }

  /// Calls `body` with the elements, which are valid only during the call.
  borrowing func withElements<Result>(_ body: (UnsafeMutablePointer<Element>, Int) -> Result) -> Result {
    body(elements, count)
  }

  var isFull: Bool { count == Self.maximumCount }

  /// Appends an element and returns its index.
  @inline(__always)
  mutating func append(_ element: Element) -> Int {
    if count == capacity { grow() }
    (elements + count).initialize(to: element)
    count &+= 1
    return count &- 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: elements, count: count)
    elements.deallocate()
    elements = larger
    capacity *= 2
  }
}
