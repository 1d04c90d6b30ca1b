import Modules
import NewsCore

/// Why a feed cannot be fetched, above its list: the error, what to do about it, and another try.
struct FeedProblemView {
  let line: SubscriptionLine
  let context: PageContext

  func render(into html: inout HTMLBuilder) {
    html.element("div", .class("note failure"), .value("role", "status")) { html in
      html.element("p") { html in
        html.text(
          line.health == .gone ? Wording.newsdDoesNotFetchThisFeedAnyMore : Wording.newsdCannotFetchThisFeed
        )
        html.text(" ")
        Self.cause(&html, line, context)
      }
      if let advice = line.advice {
        html.element("p", .autoDirection, text: PageText.sentence(advice.string))
      }
      let path = "/feed/\(line.id.rawValue)"
      FormView.post(&html, path + "/refresh", context.formToken, here: context.here) { html in
        html.element("button", text: Wording.tryAgain)
      }
      html.element("a", .href(path + "/settings"), text: Wording.changeItsAddress)
    }
  }

  /// Writes the error of a feed, and since when it has failed.
  static func cause(_ html: inout HTMLBuilder, _ line: SubscriptionLine, _ context: PageContext) {
    if let error = line.error {
      html.element("bdi", text: PageText.sentence(error.string))
    }
    if let since = line.failingSince {
      html.text(Wording.sinceTime)
      html.element("time", .value("datetime", since.rfc3339), text: context.times.dateAndTime(since))
    }
  }
}

extension SubscriptionLine {
  /// True if the last poll failed, or the feed is gone.
  var isFailing: Bool { health == .failing || health == .gone }
}
