import NewsHTTP
import Modules
import NewsCore
import NewsSearch
import NewsToolbox

/// A rule as typed into the form.
struct RuleDraft: Sendable {
  var query = ""
  var marksRead = false
  var stars = false
  var drops = false
  var tag = ""
  var label = ""
  /// When the rule ends, as typed; empty: never.
  var until = ""
  /// The number of the rule that is changed, and its query before; nil: the rule is a new one.
  var changed: (number: Int, query: String)?
  /// Actions of that rule for which the form has no field: they stay.
  var others: [RuleAction] = []

  init() {}

  /// The form for a change of a rule.
  init(_ rule: Rule) {
    query = rule.query
    until = rule.until?.rfc3339 ?? ""
    changed = (rule.number, rule.query)
    for action in rule.actions {
      switch action {
      case .markRead: marksRead = true
      case .star: stars = true
      case .drop: drops = true
      case .tag(let name) where tag.isEmpty: tag = name
      case .label(let name) where label.isEmpty: label = name
      case .tag, .label: others.append(action)
      }
    }
  }

  init(_ form: HTTPParameters) {
    query = form.first("query") ?? ""
    marksRead = form.first("mark-read") != nil
    stars = form.first("star") != nil
    drops = form.first("drop") != nil
    tag = DisplayText(line: form.first("tag") ?? "").trimmed.string
    label = DisplayText(line: form.first("label") ?? "").trimmed.string
    until = DisplayText(line: form.first("until") ?? "").trimmed.string
    if let number = form.first("number").flatMap({ Int($0) }) {
      changed = (number, form.first("former") ?? "")
    }
    others = form.all("other").compactMap { RuleAction($0) }
  }

  /// The time before which the rule applies; nil: it applies always.
  func end(now: Timestamp) throws(UserMessage) -> Timestamp? {
    guard !until.isEmpty else { return nil }
    guard let end = TimeExpression.parseEnd(until, now: now), now < end else {
      throw UserMessage(code: .usage, text: Wording.isNoTimeToCome(until))
    }
    return end
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
    actions += others
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

extension RuleAction {
  /// What the action does with an item.
  fileprivate var plainText: String {
    switch self {
    case .markRead: Wording.marksRead
    case .star: Wording.stars
    case .drop: Wording.doesNotStore
    case .tag(let name): Wording.addsTheTag(DisplayText(line: name).string)
    case .label(let name): Wording.addsTheLabel(DisplayText(line: name).string)
    }
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
    form(&html)
    if let trial { result(&html, trial) }
  }

  private func form(_ html: inout HTMLBuilder) {
    let title = draft.changed.map { Wording.changeRule($0.number) } ?? Wording.addARule
    html.element("h2", .id("edit"), text: title)
    FormView.post(&html, "/rules", context.formToken, class: "sheet wide") { html in
      if let changed = draft.changed {
        FormView.hidden(&html, "number", String(changed.number))
        FormView.hidden(&html, "former", changed.query)
      }
      for action in draft.others { FormView.hidden(&html, "other", action.description) }
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
      }
      html.element("div", .class("row")) { html in
        FormView.field(&html, Wording.tag, name: "tag", value: draft.tag)
        FormView.field(&html, Wording.label, name: "label", value: draft.label)
        FormView.field(
          &html,
          Wording.untilOrForEver,
          name: "until",
          value: draft.until,
          placeholder: Wording.exampleOfAnEnd
        )
      }
      if !draft.others.isEmpty {
        let others = draft.others.map(\.plainText).joined(separator: ", ")
        html.element("p", .class("quiet"), .autoDirection, text: Wording.also(others))
      }
      html.element("p", .class("row")) { html in
        html.element("button", .name("do"), .value("value", "try"), text: Wording.tryOnStoredItems)
        if draft.changed == nil {
          html.element(
            "button",
            .class("main"),
            .name("do"),
            .value("value", "add"),
            text: Wording.addTheRule
          )
        } else {
          html.element(
            "button",
            .class("main"),
            .name("do"),
            .value("value", "edit"),
            text: Wording.saveTheRule
          )
          html.element("a", .href("/rules"), text: Wording.cancel)
        }
      }
    }
  }

  private func list(_ html: inout HTMLBuilder, _ rules: [Rule]) {
    guard !rules.isEmpty else { return html.element("p", .class("empty"), text: Wording.thereAreNoRules) }
    html.element("table", .class("data")) { html in
      html.tableHead([Wording.number, Wording.query, Wording.does, Wording.untilTitle, Wording.hits])
      html.element("tbody") { html in
        for rule in rules { row(&html, rule, isLast: rule.number == rules.count) }
      }
    }
  }

  private func row(_ html: inout HTMLBuilder, _ rule: Rule, isLast: Bool) {
    html.element("tr") { html in
      html.element("td", text: String(rule.number))
      html.element("td") { html in html.element("code", .autoDirection, text: rule.query) }
      html.element("td", .autoDirection, text: rule.actions.map(\.plainText).joined(separator: ", "))
      html.element("td", .value("data-label", Wording.untilLabel)) { html in
        guard let until = rule.until else { return html.text(Wording.forEver) }
        html.element("time", .value("datetime", until.rfc3339), text: context.times.dateAndTime(until))
        if until <= context.times.now { html.text(Wording.ended) }
      }
      html.element("td", .class("number"), .value("data-label", Wording.hitsLabel), text: String(rule.hits))
      html.element("td") { html in
        html.element("div", .class("tools")) { html in
          html.element("a", .href("/rules?edit=\(rule.number)#edit")) { html in
            named(&html, Wording.edit, rule)
          }
          if rule.number > 1 { button(&html, "up", Wording.up, rule) }
          if !isLast { button(&html, "down", Wording.down, rule) }
          button(&html, "remove", Wording.remove, rule)
        }
      }
    }
  }

  private func button(_ html: inout HTMLBuilder, _ action: String, _ text: String, _ rule: Rule) {
    FormView.post(&html, "/rules", context.formToken) { html in
      FormView.hidden(&html, "do", action)
      FormView.hidden(&html, "number", String(rule.number))
      // Send the query too: if another page has removed this rule, its number belongs to the next one.
      FormView.hidden(&html, "former", rule.query)
      html.element("button", action == "remove" ? .class("bad") : nil) { html in named(&html, text, rule) }
    }
  }

  /// Writes a text, for screen readers with the rule's number.
  private func named(_ html: inout HTMLBuilder, _ text: String, _ rule: Rule) {
    html.text(text)
    html.element("span", .class("hidden"), text: Wording.rule(rule.number))
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
