public import Modules
public import NewsToolbox

/// The matches of a search as text: a line and an excerpt for each, then the footer of the page, which has the number of
/// matches only if they were counted.
public struct NewsSearchView: ContentView {
  private let list: NewsListView

  /// `footer` is the line below a page; nil: none.
  public init(terminal: Terminal, footer: ListFooter? = ListFooter()) {
    list = NewsListView(terminal: terminal, footer: footer)
  }

  public func render(_ content: NewsSearchViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    list.render(content.list, isCounted: content.isCounted, &buffer)
  }
}
