import Modules
import NewsCore

/// The changes that edits made to an item, and its earlier texts.
struct ItemVersionsView {
  let id: NewsItem.ID
  let versions: Container<RecordList<VersionRecord>>
  let difference: Container<ItemDifferenceViewModel>
  let context: PageContext

  func render(into html: inout HTMLBuilder) {
    html.element("h1", text: Wording.versions)
    html.element("p") { html in html.element("a", .href(PagePath.item(id)), text: Wording.backToTheItem) }
    if let failure = versions.failure { NoticeView.failure(failure, into: &html) }
    guard let records = versions.content?.records else { return }
    guard records.count > 1 else {
      html.element("p", .class("empty"), text: Wording.theItemWasNotEdited)
      return
    }
    if let lines = difference.content?.lines {
      html.element("h2", text: Wording.whatTheLastEditChanged)
      for line in lines { self.line(&html, line) }
    }
    for version in records.reversed() {
      html.element(
        "h2",
        .autoDirection,
        text: DisplayText(line: "\(version.number): \(version.title)").string
      )
      html.element("p", .class("quiet")) { html in
        guard let time = version.replaced else { return html.text(Wording.theCurrentVersion) }
        html.text(Wording.until)
        html.element("time", .value("datetime", time.rfc3339), text: context.times.dateAndTime(time))
      }
      html.element("p", .class("plain"), .autoDirection, text: version.text)
    }
    if let content = versions.content { NoticeView.notes(of: content, into: &html) }
  }

  private func line(_ html: inout HTMLBuilder, _ line: LineDifference) {
    html.element("p", .autoDirection) { html in
      switch line.kind {
      case .same: html.text(line.text.string)
      case .removed: html.element("del", text: line.text.string)
      case .added: html.element("ins", text: line.text.string)
      }
    }
  }
}
