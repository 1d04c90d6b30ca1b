import NewsCore

/// The state of one pass of `FeedBuilder` over a document.
enum FeedState {
  /// The document, as this pass reads it.
  struct Input {
    /// The document stays in memory until it is read.
    var isStable = false
    /// The document has carriage returns, which are still in text that bypassed libxml2.
    var normalizesLineEnds = false
    /// The document is well-formed as far as it was read.
    var isWellFormed = false
    /// The whole document, while it is read in spite of errors.
    var illFormedDocument: UnsafeBufferPointer<UInt8>?
    /// Computed from `illFormedDocument` on first use.
    var tagBalance: TagBalance?
  }

  /// A field's text while it is one piece of the document and need not be copied.
  struct PendingText {
    var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// Depth of the field's element; 0 for no text.
    var depth = 0
  }

  /// Position of the parser.
  struct Place {
    /// Open elements, of `frames`.
    var depth = 0
    var scope = FeedScope.outside
    var capture = TextCapture.ignore
    /// Number of open elements of a skipped subtree.
    var skipDepth = 0
    /// True: the rest is not read; the driver stops the parser.
    var isStopped = false
    /// Offset in the document's UTF-8.
    var offset = 0
  }

  /// The root element.
  struct Root {
    var name: String?
    /// The document is a feed.
    var isRecognised = false
    /// The RSS version that a namespace declared on the root means.
    var format: String?
    var isHTML = false
    /// The root is a channel: CDF, or RSS without its own root.
    var isChannel = false
    /// Its default namespace; names are compared by address.
    var space: UnsafePointer<UInt8>?
  }

  /// Bases and languages of the open elements (`xml:base`, `xml:lang`).
  struct Inherited {
    var bases: [BaseURL?] = []
    var languages: [String] = []
    /// The document's own address.
    var documentBase: BaseURL?
    /// The channel's link, against which RSS resolves links.
    var channelBase: BaseURL?
    /// The current base.
    var base: BaseURL?
    /// The outermost `xml:base`, if it is relative and no base was known for it.
    var relativeBase: String?
    /// True after the whole document was searched for the channel's link.
    var hasLookedAhead = false
  }

  /// Elements inside a text field.
  struct Markup {
    /// Names of the open elements; nil for an element that is omitted.
    var names: [UnsafePointer<UInt8>?] = []
    /// Open elements with an `xml:base` of their own: links in them are resolved at once.
    var bases = 0
    /// `xml:lang` of the element around the field's markup.
    var language: String?
    /// The namespace looked up last, and whether it is neither HTML's nor the feed's.
    var space: (address: UnsafePointer<UInt8>?, isForeign: Bool) = (nil, false)
  }

  /// Values of the feed that `feed` has no place for.
  struct Channel {
    var ranks = Ranks()
    /// `itunes:author`.
    var fallbackAuthor: Author?
    /// Seconds.
    var updatePeriod: Int64?
    var updateFrequency: Int64?
  }

  /// An item and the ranks and drafts of its fields.
  struct Entry {
    var item = ParsedItem()
    var ranks = Ranks()
    var draft = ItemDraft()
    /// `rdf:about`, which RSS 1.0 section 5.5 wants to be the item's address.
    var address: String?
    /// The item was handed over before its end; the rest of it is ignored.
    var isHandedOver = false
  }

  /// Values of elements that have not ended yet.
  struct Parts {
    var source = ItemSource()
    var image = FeedImage()
    var person = Author()
    var tag = Category(term: "")
    var generator = Generator()
    /// `isPermaLink` of a guid; nil: not given.
    var isPermalink: Bool?
    var credit = MediaCredit(name: "")
    /// Values of an alternate enclosure that apply to the addresses in it.
    var alternate = Enclosure(url: "")
    var podcastPerson = PodcastPerson(name: "")
  }

  /// Finished items that were not handed over yet.
  struct Delivery {
    var itemCount = 0
    var totalBytes = 0
    var handedOver = 0
    /// Items handed over by an earlier pass.
    var itemsToSkip = 0
    /// Items around the current one, each with the depth of the inner item's element.
    var suspended: [(entry: Entry, depth: Int)] = []
    /// Items that ended inside another, and their size.
    var innerItems: [ParsedItem] = []
    var innerBytes = 0
    /// Items without authors that wait for the feed's authors, and the total size of all items that have
    /// waited.
    var held: [ParsedItem] = []
    var heldBytes = 0

    /// For a second pass over the document, which skips the items that were handed over.
    var restarted: Delivery {
      var next = Delivery()
      next.itemsToSkip = max(itemsToSkip, handedOver)
      next.heldBytes = heldBytes
      return next
    }
  }

  /// Bounds that were reached.
  struct Limits {
    var findings: [Finding] = []
    var reached: Set<Limit> = []
  }

  enum Limit: Hashable {
    case items, fieldBytes, totalBytes, depth, listLength, base, nestedItem, growth
  }
}
