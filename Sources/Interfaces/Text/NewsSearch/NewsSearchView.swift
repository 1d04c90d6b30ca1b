public import Modules
public import NewsToolbox

/// What a search found as text: a line for each item, the matching piece below, then the page.
public struct NewsSearchView: ContentView {
  private let terminal: Terminal
  private let footer: ListFooter?

  /// - Parameters:
  ///   - terminal: What text is made for.
  ///   - footer: What is said below a page; nil: nothing.
  public init(terminal: Terminal, footer: ListFooter? = ListFooter()) {
    self.terminal = terminal
    self.footer = footer
  }

  public func render(_ content: NewsSearchViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    HeadlineTextView(terminal: terminal, columns: content.page == nil ? .listed : .fitted)
      .render(content, footer, into: &buffer)
  }
}
