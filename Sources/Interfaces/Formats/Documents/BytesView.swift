public import Modules
public import NewsText
public import NewsToolbox

/// Writes the bytes of a document without changing them.
public struct BytesView: ContentView {
  public init() {}

  public func render(_ content: DocumentContent, isLast: Bool, _ buffer: inout ByteBuffer) {
    buffer.append(content.bytes)
  }
}
