import Modules
import NewsCore
import NewsToolbox

/// The part of the settings that lists the hooks, and leads to the forms that add and change them.
struct HooksView {
  let hooks: Container<RecordList<HookSummary>>
  let presets: [HookPreset]
  let context: PageContext

  func render(into html: inout HTMLBuilder) {
    html.element("h2", .id("hooks"), text: "Hooks")
    html.element(
      "p",
      .class("quiet"),
      text: "Hooks send items that you save or star, or new ones, to other services."
    )
    if let failure = hooks.failure { NoticeView.failure(failure, into: &html) }
    let records = hooks.content?.records ?? []
    if !records.isEmpty { list(&html, records) }
    guard !presets.isEmpty else { return }
    html.element("form", .value("method", "get"), .path("action", "/hooks"), .class("sheet")) { html in
      html.element("div", .class("row")) { html in
        html.element("label") { html in
          html.element("span", text: "Service")
          html.element("select", .name("preset")) { html in
            for preset in presets {
              html.element("option", .value("value", preset.name), text: Self.service(preset))
            }
          }
        }
        html.element("button", text: "Add a hook…")
      }
    }
  }

  private func list(_ html: inout HTMLBuilder, _ records: [HookSummary]) {
    html.element("table", .class("data")) { html in
      html.tableHead(["Name", "Sends to", "Deliveries"])
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
          html.element("span", .class("quiet"), text: "Last error: \(DisplayText(line: error).string)")
        }
      }
      html.element("td") { html in
        if record.added != nil {
          html.element("a", .href("/hooks?name=" + PagePath.segment(name))) { html in
            html.text("Change")
            html.element("span", .class("hidden"), text: " the hook \(name)")
          }
        } else if record.hook != nil {
          html.element("span", .class("quiet"), text: "fixed in the configuration")
        }
      }
    }
  }

  private static func deliveries(_ record: HookSummary) -> String {
    var parts = ["\(record.state.delivered) made"]
    if record.state.pending > 0 { parts.append("\(record.state.pending) waiting") }
    if record.state.failed > 0 { parts.append("\(record.state.failed) given up") }
    if record.hook == nil {
      parts.append(record.added == nil ? "the hook was removed" : "the hook cannot fire")
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

  var title: String { isNew ? "Add a hook: \(HooksView.service(preset))" : "Hook \(draft.name)" }

  func render(into html: inout HTMLBuilder) {
    html.element("h1", text: title)
    if isOffered { html.element("p", text: "\(isNew ? action : preset.summary). \(occasion)") }
    if !advice.isEmpty { html.element("p", .class("quiet"), text: advice) }
    if let problem { NoticeView.failure(problem, into: &html) }
    FormView.post(&html, "/hooks", context.formToken, class: "sheet wide") { html in
      if isNew {
        FormView.hidden(&html, "preset", preset.name)
        FormView.field(&html, "Name of the hook", name: "name", value: draft.name, isRequired: true)
      } else {
        FormView.hidden(&html, "name", draft.name)
      }
      if isOffered { fields(&html) }
      FormView.currentPassword(&html)
      html.element("p", .class("row")) { html in
        if isNew {
          html.element("button", .class("main"), .name("do"), .value("value", "add"), text: "Add the hook")
        } else {
          if isOffered {
            html.element("button", .class("main"), .name("do"), .value("value", "change"), text: "Save")
            html.element("button", .name("do"), .value("value", "test"), text: "Send the newest item now")
          }
          html.element(
            "button",
            .class("bad"),
            .name("do"),
            .value("value", "remove"),
            text: "Remove the hook"
          )
        }
      }
    }
    html.element("p") { html in html.element("a", .href("/settings#hooks"), text: "Back to the settings") }
  }

  private func fields(_ html: inout HTMLBuilder) {
    for field in preset.fields { write(field, &html) }
    FormView.field(
      &html,
      "Only items that match this query (empty: all)",
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
      isNew ? label : label + " (empty: as before)",
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
      ? "It fires for new items." : "It fires for items that you save (key W) or star."
  }

  /// Where to find what is to be filled in; without what is of use for the configuration only.
  private var advice: String { preset.advice.contains(bytesOf: "base64") ? "" : preset.advice }
}
