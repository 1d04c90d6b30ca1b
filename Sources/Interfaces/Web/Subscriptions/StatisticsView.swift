import Modules
import NewsCore
import NewsHTTP

/// How much each feed publishes, and how much of it is read.
struct StatisticsView {
  let container: Container<FeedStatisticsViewModel>
  let context: PageContext

  /// Maximum number of feeds shown.
  private static let limit = 2000

  func render(into html: inout HTMLBuilder) {
    html.element("h1", text: Wording.statistics)
    if let failure = container.failure { NoticeView.failure(failure, into: &html) }
    guard let lines = container.content?.lines, !lines.isEmpty else {
      return html.element("p", .class("empty"), text: Wording.thereAreNoFeedsYet)
    }
    html.element(
      "p",
      .class("quiet"),
      text: Wording.whatTheStatisticsCount
    )
    html.element("div", .class("scroll")) { html in
      html.element("table", .class("data")) { html in
        html.element("thead") { html in
          html.element("tr") { html in
            for title in [Wording.feed, Wording.itemsAWeek, Wording.markedRead, Wording.newestItem] {
              html.element("th", .value("scope", "col"), text: title)
            }
          }
        }
        html.element("tbody") { html in
          for line in lines.prefix(Self.limit) { row(&html, line) }
        }
      }
    }
  }

  private func row(_ html: inout HTMLBuilder, _ line: FeedStatisticsViewModel.Line) {
    html.element("tr") { html in
      html.element("td") { html in
        html.element("a", .href(ListAddress(.feed(line.id)).path)) { html in
          html.feed(line.title.string, icon: context.icons[line.id])
        }
      }
      html.element("td", .class("number"), .value("data-label", Wording.itemsAWeekLabel), text: line.perWeek)
      html.element(
        "td",
        .class("number"),
        .value("data-label", Wording.markedReadLabel),
        text: line.readPercent.map { "\($0) %" } ?? "–"
      )
      html.element("td", .value("data-label", Wording.newestLabel)) { html in
        if let newest = line.newest {
          html.element(
            "time",
            .value("datetime", newest.rfc3339),
            text: context.times.dateAndTime(newest)
          )
        } else {
          html.text(Wording.none)
        }
        if line.isSilent { html.element("strong", text: Wording.silent) }
      }
    }
  }
}

extension WebPage {
  func showStatistics(_ request: HTTPRequest, _ session: WebSession) async -> HTTPReply {
    let container = await ModuleRun.last({ try modules.statistics() }, ())
    let context = await context(request, session, feeds: container.content?.lines.map(\.id) ?? [])
    let bytes = PageFrame(title: Wording.statistics, place: .feeds).render(context) {
      StatisticsView(container: container, context: context).render(into: &$0)
    }
    return PageReply.html(bytes, status: Self.status(container.failure))
  }
}
