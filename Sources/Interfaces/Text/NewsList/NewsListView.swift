public import Modules
public import NewsToolbox

/// A list or search as text: a line for each item, an excerpt where a search has one, then the footer of the page.
public struct NewsListView<Content: HeadlineContent>: ContentView {
  private let terminal: Terminal
  private let footer: ListFooter?

  public init(terminal: Terminal, footer: ListFooter? = ListFooter()) {
    self.terminal = terminal
    self.footer = footer
  }

  public func render(_ content: Content, isLast: Bool, _ buffer: inout ByteBuffer) {
    HeadlineTextView(terminal: terminal, columns: content.page == nil ? .listed : .fitted)
      .render(content, footer, into: &buffer)
  }
}
