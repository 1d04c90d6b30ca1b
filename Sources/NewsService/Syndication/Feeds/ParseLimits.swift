/// Limits on a document. Content beyond them is dropped and reported.
public struct ParseLimits: Hashable, Sendable {
  public var maximumItems = 100_000
  /// Maximum number of items that are in memory together, because they are not delivered one by one. Each takes at least 2 KB until
  /// it is stored.
  public var maximumHeldItems = 50_000
  /// Maximum number of values of a JSON document. A value takes up to 50 bytes of memory.
  public var maximumValues = 500_000
  /// Maximum bytes of one field, including markup.
  public var maximumFieldBytes = 8 << 20
  /// Maximum bytes of the texts of all items together, and of what bases add to addresses; but at least eight times the document, and
  /// at most 64 times the document and what entities may add. It prevents a long `xml:base` from expanding many short links.
  public var maximumTotalBytes = 64 << 20
  /// Maximum depth of elements. Reading stops at a deeper element.
  public var maximumDepth = 256
  /// Maximum number of attributes and namespaces of one start tag.
  public var maximumAttributes = 256
  /// Maximum bytes of one start tag.
  public var maximumTagBytes = 64 << 10
  /// Maximum number of different names and namespaces that the repairer keeps, because many take quadratic
  /// time in libxml2. In a well-formed document, only their bytes are limited (`XMLPushParser`).
  public var maximumNames = 2000
  /// Maximum bytes of these names and namespaces. With more, libxml2 stops; see `XMLPushParser`.
  public var maximumNameBytes = 50_000
  /// Maximum bytes that entities declared by the document may add in all.
  public var maximumEntityBytes = 1 << 20
  /// Maximum number of findings that are reported.
  public var maximumProblems = 100

  public init() {}
}
