public import Modules
public import NewsText
public import NewsToolbox

/// Writes an article as one line of JSON.
public struct ParseArticleView: ContentView {
  public init() {}

  public func render(_ content: ParseArticleViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    buffer.append(PageArticleJSON.bytes(content.article))
    buffer.append(UInt8(ascii: "\n"))
  }
}
