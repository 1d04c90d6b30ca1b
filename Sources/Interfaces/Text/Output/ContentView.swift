public import Modules
public import NewsToolbox

/// A passive view: renders contents, in order, as bytes. Knows one module's view model and not where it comes from.
public protocol ContentView<Content>: Sendable {
  associatedtype Content: ScreenContent
  /// Appends what comes before the first content: an opening bracket, a page header.
  mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError)
  mutating func render(_ content: Content, isLast: Bool, _ buffer: inout ByteBuffer) throws(OutputError)
  /// Appends what comes after the last content. Not called when content is missing, so that a document that was cut off
  /// can be told from a whole one.
  mutating func end(_ buffer: inout ByteBuffer) throws(OutputError)
}

extension ContentView {
  public mutating func begin(_ buffer: inout ByteBuffer) {}
  public mutating func end(_ buffer: inout ByteBuffer) {}
}
