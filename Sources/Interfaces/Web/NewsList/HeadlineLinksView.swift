import Modules
import NewsCore
import NewsToolbox

/// A short list of items as links, each with its feed.
struct HeadlineLinksView {
  let content: any HeadlineContent
  let showsTimes: Bool

  func render(into html: inout HTMLBuilder) {
    html.element("ul") { html in
      for (line, match) in zip(content.lines, content.items) {
        html.element("li") { html in
          html.element(
            "a",
            .href(PagePath.item(line.id)),
            .autoDirection,
            .language(match.item.language),
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
