/// How much of a document is read; what lies beyond is left out and reported, and the rest goes on.
public struct ParseLimits: Hashable, Sendable {
  public var maximumItems = 100_000
  /// Bytes of one field, markup included.
  public var maximumFieldBytes = 8 << 20
  /// Bytes of all items together: this many, or eight times the document where that is more. A long base makes a long
  /// address of each short link.
  public var maximumTotalBytes = 64 << 20
  /// Open elements; a deeper document ends there.
  public var maximumDepth = 256
  /// Attributes and namespaces of one start tag.
  public var maximumAttributes = 256
  /// Bytes of one start tag.
  public var maximumTagBytes = 64 << 10
  /// Different names and namespaces in a document: libxml2 takes quadratic time for very many.
  public var maximumNames = 2000
  /// Bytes that the entities a document declares itself may add in all.
  public var maximumEntityBytes = 1 << 20
  /// Findings that are reported.
  public var maximumProblems = 100

  public init() {}
}
