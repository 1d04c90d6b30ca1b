public import Modules
public import NewsToolbox

/// Shows only the number of matches.
public struct SearchCountView: ContentView {
  public init() {}

  public func render(_ content: SearchCountViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    buffer.append(decimal: Int64(content.count))
    buffer.newLine()
  }
}
