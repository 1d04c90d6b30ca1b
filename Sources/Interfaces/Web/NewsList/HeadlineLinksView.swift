import Modules
import NewsCore
import NewsToolbox

/// A short list of items as links, each with its feed.
struct HeadlineLinksView {
  let content: NewsListViewModel
  let showsTimes: Bool

  func render(into html: inout HTMLBuilder) {
    html.element("ul") { html in
      for line in content.lines {
        html.element("li") { html in
          html.element(
            "a",
            .href(PagePath.item(line.id)),
            .autoDirection,
            .language(line.language),
            text: line.title.map(\.text.string).joined()
          )
          html.literal(" <span class=\"quiet\">")
          html.element("bdi", text: line.feed.string)
          if showsTimes { html.text(" · \(line.time.string)") }
          html.literal("</span>")
        }
      }
    }
  }
}
