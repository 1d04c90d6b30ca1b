import Modules
import NewsCore

/// The saved searches: each with its list and its address as a feed.
struct SavedSearchesView {
  let container: Container<RecordList<SavedSearch>>
  var name = ""
  var query = ""
  let context: PageContext

  func render(into html: inout HTMLBuilder) {
    html.element("h1", text: Wording.savedSearches)
    if let failure = container.failure { NoticeView.failure(failure, into: &html) }
    list(&html, container.content?.records ?? [])
    html.element("h2", text: Wording.saveASearch)
    form(&html, here: nil)
  }

  /// Writes the form for a search, as the content of a dialog that is shown above the page `here`.
  func dialog(_ html: inout HTMLBuilder, here: String?) {
    html.element("h1", text: Wording.saveASearch)
    form(&html, here: here)
  }

  private func form(_ html: inout HTMLBuilder, here: String?) {
    FormView.post(&html, "/searches", context.formToken, class: "sheet", here: here) { html in
      html.element("div", .class("row")) { html in
        FormView.field(&html, Wording.name, name: "name", value: name, isRequired: true)
        FormView.field(
          &html,
          Wording.query,
          name: "query",
          value: query,
          placeholder: Wording.exampleOfAQuery,
          isRequired: true
        )
        html.element("button", .class("main"), text: Wording.save)
      }
    }
  }

  private func list(_ html: inout HTMLBuilder, _ searches: [SavedSearch]) {
    guard !searches.isEmpty else {
      return html.element("p", .class("empty"), text: Wording.noSearchIsSavedYet)
    }
    html.element("table", .class("data")) { html in
      html.tableHead([Wording.name, Wording.query, Wording.asAFeed])
      html.element("tbody") { html in
        for search in searches { row(&html, search) }
      }
    }
    html.element("p", .class("quiet")) { html in
      html.text(Wording.otherReadersSubscribe)
      html.element("a", .href("/access"), text: Wording.appPassword)
      html.text(".")
    }
  }

  private func row(_ html: inout HTMLBuilder, _ search: SavedSearch) {
    let name = DisplayText(line: search.name).string
    html.element("tr") { html in
      html.element("td") { html in
        html.element("a", .href(ListAddress(.saved(search.name)).path), .autoDirection, text: name)
      }
      html.element("td") { html in html.element("code", .autoDirection, text: search.query) }
      html.element("td") { html in
        for (type, label) in [("atom", "Atom"), ("rss", "RSS"), ("json", "JSON")] {
          html.element("a", .href("/q/\(PagePath.segment(search.name)).\(type)")) { html in
            html.text(label)
            html.element("span", .class("hidden"), text: Wording.ofSubject(name))
          }
          html.text(" ")
        }
      }
      html.element("td") { html in
        FormView.post(&html, "/searches", context.formToken) { html in
          FormView.hidden(&html, "remove", search.name)
          html.element("button", .class("plain bad")) { html in
            html.text(Wording.remove)
            html.element("span", .class("hidden"), text: " \(name)")
          }
        }
      }
    }
  }
}
