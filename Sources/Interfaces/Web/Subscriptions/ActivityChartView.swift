import Modules
import NewsCore
import NewsToolbox

/// The number of items per day as a bar chart (SVG), with a sentence that says it. Nothing, if there are no items.
struct ActivityChartView {
  let content: NewsListChartViewModel

  private static let step = 24
  private static let height = 96
  private static let days = 30

  func render(into html: inout HTMLBuilder) {
    let bars = Array(content.bars.suffix(Self.days))
    guard let first = bars.first, let last = bars.last else { return }
    let most = bars.map(\.count).max() ?? 0
    let total = bars.reduce(0) { $0 + $1.count }
    let sum = Wording.activity(total, Self.days, most)
    html.element("figure", .class("chart")) { html in
      html.element("figcaption") { html in
        html.element("strong", text: Wording.itemsADay)
        html.element("span", .class("quiet"), text: sum)
      }
      html.element(
        "svg",
        .value("role", "img"),
        .value("viewBox", "0 0 \(bars.count * Self.step - 4) \(Self.height)"),
        .value("preserveAspectRatio", "none"),
        .value("aria-label", sum)
      ) { html in
        for (index, bar) in bars.enumerated() {
          let height = bar.count == 0 ? 1 : max(2, bar.count * Self.height / max(most, 1))
          html.element(
            "rect",
            .value("x", String(index * Self.step)),
            .value("y", String(Self.height - height)),
            .value("width", String(Self.step - 4)),
            .value("height", String(height))
          ) { html in
            html.element("title", text: "\(bar.day.string): \(Plural.of(bar.count, "item"))")
          }
        }
      }
      html.element("div", .class("quiet")) { html in
        html.element("span", text: first.day.string)
        if bars.count > 1 { html.element("span", text: last.day.string) }
      }
    }
  }
}
