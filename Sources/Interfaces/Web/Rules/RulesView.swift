import NewsHTTP
import Modules
import NewsCore
import NewsToolbox

/// A rule as typed into the form.
struct RuleDraft: Sendable {
  var query = ""
  var marksRead = false
  var stars = false
  var drops = false
  var tag = ""
  var label = ""

  init() {}

  init(_ form: HTTPParameters) {
    query = form.first("query") ?? ""
    marksRead = form.first("mark-read") != nil
    stars = form.first("star") != nil
    drops = form.first("drop") != nil
    tag = DisplayText(line: form.first("tag") ?? "").trimmed.string
    label = DisplayText(line: form.first("label") ?? "").trimmed.string
  }

  /// The actions in the order in which they are applied. Throws a usage error without actions, and for
  /// actions on items that are not stored.
  func actions() throws(UserMessage) -> [RuleAction] {
    var actions: [RuleAction] = []
    if marksRead { actions.append(.markRead) }
    if stars { actions.append(.star) }
    if !tag.isEmpty { actions.append(.tag(tag)) }
    if !label.isEmpty {
      guard ItemLabel.isName(label) else {
        throw UserMessage(
          code: .usage,
          text: Wording.aLabelMustHaveBytes(ItemLabel.nameLength)
        )
      }
      actions.append(.label(label))
    }
    guard !drops || actions.isEmpty else {
      throw UserMessage(code: .usage, text: Wording.chooseNoOtherAction)
    }
    if drops { actions.append(.drop) }
    guard !actions.isEmpty else {
      throw UserMessage(code: .usage, text: Wording.chooseWhatTheRuleDoes)
    }
    return actions
  }
}

/// The rules, a form for another one, and the stored items that the new rule would match.
struct RulesView {
  let container: Container<RecordList<Rule>>
  var draft = RuleDraft()
  /// The stored items that the draft's query matches; nil: the query was not tried.
  var trial: Trial?
  let context: PageContext

  /// The result of trying a query.
  struct Trial: Sendable {
    var count: Int
    var found: Container<NewsListViewModel>
  }

  func render(into html: inout HTMLBuilder) {
    html.element("h1", text: Wording.rules)
    html.element("p", .class("quiet")) { html in
      html.text(Wording.rulesActOnArrival)
    }
    if let failure = container.failure { NoticeView.failure(failure, into: &html) }
    list(&html, container.content?.records ?? [])
    html.element("h2", text: Wording.addARule)
    FormView.post(&html, "/rules", context.formToken, class: "sheet") { html in
      FormView.field(
        &html,
        Wording.itemsThatMatchThisQuery,
        name: "query",
        value: draft.query,
        placeholder: "title:sponsored",
        isRequired: true
      )
      html.element("div", .class("row")) { html in
        check(&html, Wording.markRead, "mark-read", draft.marksRead)
        check(&html, Wording.star, "star", draft.stars)
        check(&html, Wording.drop, "drop", draft.drops)
        FormView.field(&html, Wording.tag, name: "tag", value: draft.tag)
        FormView.field(&html, Wording.label, name: "label", value: draft.label)
      }
      html.element("p", .class("row")) { html in
        html.element("button", .name("do"), .value("value", "try"), text: Wording.tryOnStoredItems)
        html.element("button", .class("main"), .name("do"), .value("value", "add"), text: Wording.addTheRule)
      }
    }
    if let trial { result(&html, trial) }
  }

  private func list(_ html: inout HTMLBuilder, _ rules: [Rule]) {
    guard !rules.isEmpty else { return html.element("p", .class("empty"), text: Wording.thereAreNoRules) }
    html.element("table", .class("data")) { html in
      html.tableHead([Wording.number, Wording.query, Wording.does])
      html.element("tbody") { html in
        for rule in rules {
          html.element("tr") { html in
            html.element("td", text: String(rule.number))
            html.element("td") { html in html.element("code", .autoDirection, text: rule.query) }
            html.element("td", .autoDirection, text: rule.actionList)
            html.element("td") { html in
              FormView.post(&html, "/rules", context.formToken) { html in
                FormView.hidden(&html, "do", "remove")
                FormView.hidden(&html, "number", String(rule.number))
                // Send the query too: if another page has removed this rule, its number belongs to the next
                // one.
                FormView.hidden(&html, "query", rule.query)
                html.element("button", .class("bad")) { html in
                  html.text(Wording.remove)
                  html.element("span", .class("hidden"), text: Wording.rule(rule.number))
                }
              }
            }
          }
        }
      }
    }
  }

  private func check(_ html: inout HTMLBuilder, _ label: String, _ name: String, _ isOn: Bool) {
    html.element("label", .class("check")) { html in
      html.tag("input", .type("checkbox"), .name(name), .value("value", "1"), .flag("checked", if: isOn))
      html.element("span", text: label)
    }
  }

  private func result(_ html: inout HTMLBuilder, _ trial: Trial) {
    html.element("h2", .id("trial"), text: Wording.matches(trial.count))
    if let failure = trial.found.failure { NoticeView.failure(failure, into: &html) }
    guard let content = trial.found.content else { return }
    HeadlineLinksView(content: content, showsTimes: false).render(into: &html)
  }
}
