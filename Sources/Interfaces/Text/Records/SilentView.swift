public import Modules
public import NewsToolbox

/// Renders nothing. For screens whose content is in their notes, which `Screen` shows.
public struct SilentView<Content: ScreenContent>: ContentView {
  public init() {}

  public func render(_ content: Content, isLast: Bool, _ buffer: inout ByteBuffer) {}
}
