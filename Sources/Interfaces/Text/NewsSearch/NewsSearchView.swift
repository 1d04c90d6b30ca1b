public import Modules
public import NewsToolbox

/// The matches of a search as text: a line and an excerpt for each item, then the footer of the page.
public struct NewsSearchView: ContentView {
  private let terminal: Terminal
  private let footer: ListFooter?

  /// - Parameters:
  ///   - terminal: Properties of the output.
  ///   - footer: The footer of a page; nil: none.
  public init(terminal: Terminal, footer: ListFooter? = ListFooter()) {
    self.terminal = terminal
    self.footer = footer
  }

  public func render(_ content: NewsSearchViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    HeadlineTextView(terminal: terminal, columns: content.page == nil ? .listed : .fitted)
      .render(content, footer, into: &buffer)
  }
}
