public import Modules
public import NewsToolbox

/// A passive view: renders contents as bytes, in order. It depends only on the view model of its module.
public protocol ContentView<Content>: Sendable {
  associatedtype Content: ScreenContent
  /// Appends the start of the document, such as an opening bracket or a page header.
  mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError)
  mutating func render(_ content: Content, isLast: Bool, _ buffer: inout ByteBuffer) throws(OutputError)
  /// Appends the end of the document. Not called if content is missing, so that a truncated document can be
  /// recognized.
  mutating func end(_ buffer: inout ByteBuffer) throws(OutputError)
}

extension ContentView {
  public mutating func begin(_ buffer: inout ByteBuffer) {}
  public mutating func end(_ buffer: inout ByteBuffer) {}
}
