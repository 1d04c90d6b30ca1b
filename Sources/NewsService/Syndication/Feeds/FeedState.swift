import NewsCore

/// The state of one pass of `FeedBuilder` over a document.
enum FeedState {
  /// The document as this pass of the builder reads it.
  struct Input {
    /// True if the document's bytes stay in memory until the pass ends.
    var isStable = false
    /// True if the document has carriage returns. Text that bypassed libxml2 still contains them.
    var normalizesLineEnds = false
    /// True if the part of the document read so far is well-formed.
    var isWellFormed = false
    /// All bytes of an ill-formed document during its pass through the repairer; otherwise nil.
    var illFormedDocument: UnsafeBufferPointer<UInt8>?
    /// Computed from `illFormedDocument` on first use.
    var tagBalance: TagBalance?
  }

  /// The text of an open field that consists of a single run of the document's bytes, so that it need not be copied.
  struct PendingText {
    var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// Depth of the element whose field has the text; 0 if no text is pending.
    var depth = 0
  }

  /// Position of the parser.
  struct Place {
    /// Number of open elements, which is the number of used entries in `frames`.
    var depth = 0
    var scope = FeedScope.outside
    var capture = TextCapture.ignore
    /// Number of open elements of a skipped subtree.
    var skipDepth = 0
    /// True if the builder needs no more input and the parser must stop.
    var isStopped = false
    /// Offset of the current event in the document's UTF-8.
    var offset = 0
  }

  /// What the builder knows about the root element.
  struct Root {
    var name: String?
    /// True if the root element is that of a feed.
    var isRecognized = false
    /// The RSS version that follows from a namespace declared on the root.
    var format: String?
    var isHTML = false
    /// True if the root element is a channel: in CDF, or in RSS without an `rss` element.
    var isChannel = false
    /// The root's default namespace. libxml2 stores each URI once, so URIs are compared by address.
    var space: UnsafePointer<UInt8>?
  }

  /// Bases and languages of the open elements (`xml:base`, `xml:lang`).
  struct Inherited {
    var bases: [BaseURL?] = []
    var languages: [String] = []
    /// The address of the document; if it is unknown, the address in the feed's self link.
    var documentBase: BaseURL?
    /// The channel's link, against which RSS resolves links.
    var channelBase: BaseURL?
    /// The base that applies at the parser's position.
    var base: BaseURL?
    /// The outermost `xml:base`, if it is relative and no base is known to resolve it.
    var relativeBase: String?
    /// True after the builder has searched the whole document for the channel's link.
    var hasLookedAhead = false
  }

  /// Elements inside a text field.
  struct Markup {
    /// Names of the open elements; nil for an element that is omitted.
    var names: [UnsafePointer<UInt8>?] = []
    /// Number of open elements with their own `xml:base`. Links inside them are resolved at once.
    var bases = 0
    /// `xml:lang` of the last element directly inside the field that has one, such as the `div` around XHTML.
    var language: String?
    /// Cache: the last namespace that was looked up, and the result of `isForeign` for it.
    var space: (address: UnsafePointer<UInt8>?, isForeign: Bool) = (nil, false)
  }

  /// Values of the channel that have no property in `feed`.
  struct Channel {
    var ranks = Ranks()
    /// `itunes:author` or `googleplay:author`.
    var fallbackAuthor: Author?
    /// Update period of RSS 1.0's syndication module, in seconds.
    var updatePeriod: Int64?
    var updateFrequency: Int64?
    var hubs = ListIndex()
    var links = ListIndex()
    var authors = PersonIndex()
    var contributors = ListIndex()
  }

  /// The current item, the rank of each field's value (a value of a higher rank replaces it), and the values that are
  /// evaluated when the item ends.
  struct Entry {
    var item = ParsedItem()
    var ranks = Ranks()
    var draft = ItemDraft()
    /// The value of `rdf:about`, which is the item's address (RSS 1.0 section 5.5).
    var address: String?
    /// True if the item was delivered before its end tag. The rest of the item is ignored.
    var isHandedOver = false
    var lists = Lists()
  }

  /// The indexes of an item's lists.
  struct Lists {
    var authors = PersonIndex()
    var contributors = ListIndex()
    var enclosures = ListIndex()
    var transcripts = ListIndex()
    var persons = ListIndex()
    var players = ListIndex()
    var credits = ListIndex()
    var replies = ListIndex()
  }

  /// Values collected for elements that are still open.
  struct Parts {
    var source = ItemSource()
    var sourceAuthors = PersonIndex()
    var sourceContributors = ListIndex()
    var image = FeedImage()
    var person = Author()
    var tag = Category(term: "")
    var generator = Generator()
    /// The `isPermaLink` attribute of a guid; nil if it is missing.
    var isPermalink: Bool?
    var credit = MediaCredit(name: "")
    /// Attributes of the open `podcast:alternateEnclosure`, which apply to each address inside it.
    var alternate = Enclosure(url: "")
    var podcastPerson = PodcastPerson(name: "")
  }

  /// The state of delivering finished items.
  struct Delivery {
    var itemCount = 0
    /// Bytes of the texts of all complete items.
    var totalBytes = 0
    /// Bytes that bases have added to addresses.
    var addedBytes = 0
    var handedOver = 0
    /// Number of items that an earlier pass delivered.
    var itemsToSkip = 0
    /// Unfinished items that enclose the current one, each with the depth of the element of the item inside it.
    var suspended: [(entry: Entry, depth: Int)] = []
    /// Finished items that were nested in an unfinished item, and their total size.
    var innerItems: [ParsedItem] = []
    var innerBytes = 0
    /// Items that wait for the feed's authors: an item without authors, and all items after it, to keep the order.
    /// `heldBytes` also counts items that no longer wait.
    var held: [ParsedItem] = []
    var heldBytes = 0

    /// Returns the initial state of a second pass, which skips the items that were already delivered.
    var restarted: Delivery {
      var next = Delivery()
      next.itemsToSkip = max(itemsToSkip, handedOver)
      next.heldBytes = heldBytes
      return next
    }
  }

  /// The limits that the document exceeded, and the findings about them.
  struct Limits {
    var findings: [Finding] = []
    var reached: Set<Limit> = []
  }

  enum Limit: Hashable {
    case items, fieldBytes, totalBytes, depth, listLength, base, nestedItem, growth
  }
}
