import Modules
import NewsCore
import NewsToolbox

/// The number of items per day as a bar chart (SVG), with a sentence for screen readers.
struct ActivityChartView {
  let content: NewsListChartViewModel

  private static let width = 720
  private static let height = 96
  private static let days = 30

  func render(into html: inout HTMLBuilder) {
    let bars = Array(content.bars.suffix(Self.days))
    let most = bars.map(\.count).max() ?? 0
    let total = bars.reduce(0) { $0 + $1.count }
    html.element(
      "svg",
      .class("chart"),
      .value("role", "img"),
      .value("viewBox", "0 0 \(Self.width) \(Self.height + 20)"),
      .value(
        "aria-label",
        Wording.activity(total, Self.days, most)
      )
    ) { html in
      let step = Self.width / Self.days
      for (index, bar) in bars.enumerated() {
        let height = bar.count == 0 ? 1 : max(2, bar.count * Self.height / max(most, 1))
        html.element(
          "rect",
          .value("x", String((Self.days - bars.count + index) * step)),
          .value("y", String(Self.height - height)),
          .value("width", String(step - 4)),
          .value("height", String(height)),
          .value("rx", "2")
        ) { html in
          html.element("title", text: "\(bar.day.string): \(Plural.of(bar.count, "item"))")
        }
      }
      if let first = bars.first, let last = bars.last {
        // The labels of two days need some 120 units.
        if bars.count * step > 160 {
          label(&html, first.day.string, x: (Self.days - bars.count) * step, anchor: "start")
        }
        label(&html, last.day.string, x: Self.width - 4, anchor: "end")
      }
    }
  }

  private func label(_ html: inout HTMLBuilder, _ text: String, x: Int, anchor: String) {
    html.element(
      "text",
      .value("x", String(x)),
      .value("y", String(Self.height + 16)),
      .value("text-anchor", anchor),
      text: text
    )
  }
}
