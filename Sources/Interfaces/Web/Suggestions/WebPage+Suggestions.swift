import Modules
import NewsCore
import NewsHTTP
import NewsSearch

// MARK: - Suggestions for the search

extension WebPage {
  /// Answers the script with the suggestions for a typed text, as options of a list box.
  func suggest(_ request: HTTPRequest) async -> HTTPReply {
    let typed = request.query.first("q") ?? ""
    guard typed.utf8.count <= QueryParser.maximumLength else {
      return PageReply.text(400, Wording.theTextIsTooLong)
    }
    let found = await ModuleRun.last({ try modules.suggestions() }, typed)
    if let failure = found.failure { return PageReply.text(Self.status(failure), failure.text) }
    var html = HTMLBuilder(site: request.site)
    for suggestion in found.content?.all ?? [] { SuggestionView(suggestion: suggestion).render(into: &html) }
    return PageReply.html(html.bytes)
  }

  /// Keeps a search that the user has finished typing among the recent ones.
  func rememberSearch(_ request: HTTPRequest) async -> HTTPReply {
    guard let query = request.form.first("q"), !query.isEmpty, query.utf8.count <= QueryParser.maximumLength
    else {
      return PageReply.text(400, Wording.theFormHasNoSearch)
    }
    await modules.remember(search: query)
    return PageReply.json("{}")
  }
}

/// A suggestion as an option that is a link.
struct SuggestionView {
  let suggestion: Suggestion

  func render(into html: inout HTMLBuilder) {
    let (address, kind) = target
    html.element("a", .value("role", "option"), .value("tabindex", "-1"), .href(address.path)) { html in
      html.element("span", .autoDirection, text: DisplayText(line: suggestion.name).string)
      html.element("span", .class("quiet"), text: " " + kind)
    }
  }

  private var target: (ListAddress, String) {
    switch suggestion.kind {
    case .feed(let id): (ListAddress(.feed(id)), "feed")
    case .folder: (ListAddress(.folder(suggestion.name)), "folder")
    case .label: (ListAddress(.search("label:" + QueryWord.quoted(suggestion.name))), "label")
    case .saved: (ListAddress(.saved(suggestion.name)), Wording.savedSearch)
    case .recent: (ListAddress(.search(suggestion.name)), Wording.recentSearch)
    }
  }
}
