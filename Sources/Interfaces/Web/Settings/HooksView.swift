import Modules
import NewsCore
import NewsToolbox

/// The part of the settings that lists the hooks, and leads to the forms that add and change them.
struct HooksView {
  let hooks: Container<RecordList<HookSummary>>
  let presets: [HookPreset]
  let context: PageContext

  func render(into html: inout HTMLBuilder) {
    html.element("h2", .id("hooks"), text: Wording.hooks)
    html.element(
      "p",
      .class("quiet"),
      text: Wording.whatHooksSend
    )
    if let failure = hooks.failure { NoticeView.failure(failure, into: &html) }
    let records = hooks.content?.records ?? []
    if !records.isEmpty { list(&html, records) }
    guard !presets.isEmpty else { return }
    html.element("form", .value("method", "get"), .path("action", "/hooks"), .class("sheet")) { html in
      html.element("div", .class("row")) { html in
        html.element("label") { html in
          html.element("span", text: Wording.service)
          html.element("select", .name("preset")) { html in
            for preset in presets {
              html.element("option", .value("value", preset.name), text: Self.service(preset))
            }
          }
        }
        html.element("button", text: Wording.addAHook)
      }
    }
  }

  private func list(_ html: inout HTMLBuilder, _ records: [HookSummary]) {
    html.element("table", .class("data")) { html in
      html.tableHead([Wording.name, Wording.sendsTo, Wording.deliveries])
      html.element("tbody") { html in
        for record in records { row(&html, record) }
      }
    }
  }

  private func row(_ html: inout HTMLBuilder, _ record: HookSummary) {
    let name = record.state.name
    html.element("tr") { html in
      html.element("td", text: DisplayText(line: name).string)
      html.element("td") { html in
        let service = record.added.map { added in
          presets.first { $0.name == added.preset }.map(Self.service) ?? added.preset
        }
        let target = record.hook.map { hook in
          DisplayText(line: WebAddress(hook.displayTarget)?.root ?? hook.displayTarget).string
        }
        html.text([service, target].compactMap { $0 }.joined(separator: ", "))
      }
      html.element("td") { html in
        html.text(Self.deliveries(record))
        if let error = record.state.lastError {
          html.tag("br")
          html.element("span", .class("quiet"), text: Wording.lastError(DisplayText(line: error).string))
        }
      }
      html.element("td") { html in
        if record.added != nil {
          html.element("a", .href("/hooks?name=" + PagePath.segment(name))) { html in
            html.text(Wording.change)
            html.element("span", .class("hidden"), text: Wording.theHook(name))
          }
        } else if record.hook != nil {
          html.element("span", .class("quiet"), text: Wording.fixedInTheConfiguration)
        }
      }
    }
  }

  private static func deliveries(_ record: HookSummary) -> String {
    var parts = [Wording.deliveriesMade(Int(record.state.delivered))]
    if record.state.pending > 0 { parts.append(Wording.waiting(record.state.pending)) }
    if record.state.failed > 0 { parts.append(Wording.givenUp(record.state.failed)) }
    if record.hook == nil {
      parts.append(record.added == nil ? Wording.theHookWasRemoved : Wording.theHookCannotFire)
    }
    return parts.joined(separator: ", ")
  }

  /// The name of a preset's service.
  static func service(_ preset: HookPreset) -> String {
    preset.summary.cut(atFirst: ":").map { String($0.before) } ?? preset.name
  }
}

/// The form that adds a hook, or changes, tries and removes one. Secrets are never shown.
struct HookFormView {
  let preset: HookPreset
  /// False: the page does not offer the preset any more, so that the hook can only be removed.
  let isOffered: Bool
  /// What is shown in the fields; its secrets are left out.
  let draft: PageHook
  let isNew: Bool
  let problem: UserMessage?
  let context: PageContext

  /// The name of the form's field for a field of the preset.
  static func name(of field: HookPreset.Field) -> String { "with-" + field.name }

  var title: String { isNew ? Wording.addAHookFor(HooksView.service(preset)) : Wording.hook(draft.name) }

  func render(into html: inout HTMLBuilder) {
    html.element("h1", text: title)
    if isOffered { html.element("p", text: "\(isNew ? action : preset.summary). \(occasion)") }
    if !advice.isEmpty { html.element("p", .class("quiet"), text: advice) }
    if let problem { NoticeView.failure(problem, into: &html) }
    FormView.post(&html, "/hooks", context.formToken, class: "sheet wide") { html in
      if isNew {
        FormView.hidden(&html, "preset", preset.name)
        FormView.field(&html, Wording.nameOfTheHook, name: "name", value: draft.name, isRequired: true)
      } else {
        FormView.hidden(&html, "name", draft.name)
      }
      if isOffered { fields(&html) }
      FormView.currentPassword(&html)
      html.element("p", .class("row")) { html in
        if isNew {
          html.element(
            "button",
            .class("main"),
            .name("do"),
            .value("value", "add"),
            text: Wording.addTheHook
          )
        } else {
          if isOffered {
            html.element("button", .class("main"), .name("do"), .value("value", "change"), text: Wording.save)
            html.element("button", .name("do"), .value("value", "test"), text: Wording.sendTheNewestItemNow)
          }
          html.element(
            "button",
            .class("bad"),
            .name("do"),
            .value("value", "remove"),
            text: Wording.removeTheHook
          )
        }
      }
    }
    html.element("p") { html in html.element("a", .href("/settings#hooks"), text: Wording.backToTheSettings) }
  }

  private func fields(_ html: inout HTMLBuilder) {
    for field in preset.fields { write(field, &html) }
    FormView.field(
      &html,
      Wording.onlyItemsThatMatch,
      name: "query",
      value: draft.query,
      placeholder: preset.hook.query ?? "tag:work"
    )
  }

  private func write(_ field: HookPreset.Field, _ html: inout HTMLBuilder) {
    let label = Self.capitalized(field.title)
    guard field.isSecret else {
      let name = Self.name(of: field)
      let value = draft.values[field.name]
      return FormView.field(
        &html,
        label,
        name: name,
        value: value,
        placeholder: field.example,
        isRequired: true
      )
    }
    FormView.field(
      &html,
      isNew ? label : label + Wording.emptyAsBefore,
      name: Self.name(of: field),
      type: "password",
      isRequired: isNew,
      complete: "new-password"
    )
  }

  /// What the hook does with an item.
  private var action: String {
    Self.capitalized(
      preset.summary.cut(atFirst: ":").map { String($0.after.trimmingBlanks) } ?? preset.summary
    )
  }

  private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// When the hook fires.
  private var occasion: String {
    preset.hook.events.isEmpty
      ? Wording.itFiresForNewItems : Wording.itFiresForSavedItems
  }

  /// Where to find what is to be filled in; without what is of use for the configuration only.
  private var advice: String { preset.advice.contains(bytesOf: "base64") ? "" : preset.advice }
}
