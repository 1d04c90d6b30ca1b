public import Modules
public import NewsText
public import NewsToolbox

/// A document as it is.
public struct BytesView: ContentView {
  public init() {}

  public func render(_ content: DocumentContent, isLast: Bool, _ buffer: inout ByteBuffer) {
    buffer.append(content.bytes)
  }
}
