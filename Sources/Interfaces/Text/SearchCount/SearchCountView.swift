public import Modules
public import NewsToolbox

/// The number alone.
public struct SearchCountView: ContentView {
  public init() {}

  public func render(_ content: SearchCountViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    buffer.append(decimal: Int64(content.count))
    buffer.newLine()
  }
}
