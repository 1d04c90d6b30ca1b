/// Bounds on a document; the excess is dropped and reported.
public struct ParseLimits: Hashable, Sendable {
  public var maximumItems = 100_000
  /// Bytes of one field, markup included.
  public var maximumFieldBytes = 8 << 20
  /// Bytes of all items together: this many, or eight times the document if that is more. A long `xml:base` would
  /// expand every short link.
  public var maximumTotalBytes = 64 << 20
  /// Nesting of elements; reading ends at a deeper one.
  public var maximumDepth = 256
  /// Attributes and namespaces of one start tag.
  public var maximumAttributes = 256
  /// Bytes of one start tag.
  public var maximumTagBytes = 64 << 10
  /// Different names and namespaces: libxml2 takes quadratic time for many.
  public var maximumNames = 2000
  /// Bytes that the entities a document declares itself may add in all.
  public var maximumEntityBytes = 1 << 20
  /// Findings that are reported.
  public var maximumProblems = 100

  public init() {}
}
