public import Modules
public import NewsToolbox

/// The view of screens whose content is in their notes, which `Screen` shows.
public struct SilentView<Content: ScreenContent>: ContentView {
  public init() {}

  public func render(_ content: Content, isLast: Bool, _ buffer: inout ByteBuffer) {}
}
