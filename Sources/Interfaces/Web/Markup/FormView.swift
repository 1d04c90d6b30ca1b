import Modules

/// Parts of forms that all pages share.
enum FormView {
  /// Writes a form that changes something: it carries the session's token.
  static func post(
    _ html: inout HTMLBuilder,
    _ path: String,
    _ token: String,
    id: String? = nil,
    `class`: String? = nil,
    isUpload: Bool = false,
    here: String? = nil,
    content: (inout HTMLBuilder) -> Void
  ) {
    html.element(
      "form",
      .value("method", "post"),
      .path("action", path),
      .optional("id", id),
      .optional("class", `class`),
      isUpload ? .value("enctype", "multipart/form-data") : nil
    ) { html in
      hidden(&html, "csrf", token)
      if let here { hidden(&html, "from", here) }
      content(&html)
    }
  }

  static func hidden(_ html: inout HTMLBuilder, _ name: String, _ value: String) {
    html.tag("input", .type("hidden"), .name(name), .value("value", value))
  }

  /// Writes a labelled field for a line of text. `hint` is shown below it. `hasFocus`: what is typed
  /// when the page is shown gets into it.
  static func field(
    _ html: inout HTMLBuilder,
    _ label: String,
    name: String,
    value: String? = nil,
    type: String = "text",
    placeholder: String? = nil,
    isRequired: Bool = false,
    complete: String = "off",
    list: String? = nil,
    hint: String? = nil,
    hasFocus: Bool = false
  ) {
    html.element("label") { html in
      html.element("span", text: label)
      html.tag(
        "input",
        .type(type),
        .name(name),
        .optional("value", value),
        .optional("placeholder", placeholder),
        .value("autocomplete", complete),
        .optional("list", list),
        type == "text" ? .autoDirection : nil,
        .flag("required", if: isRequired),
        .flag("autofocus", if: hasFocus)
      )
      if let hint { html.element("small", .class("quiet"), text: hint) }
    }
  }
}

extension FormView {
  /// Writes the field for the login password, which some actions ask for again.
  static func currentPassword(_ html: inout HTMLBuilder) {
    field(
      &html,
      Wording.loginPassword,
      name: "current",
      type: "password",
      isRequired: true,
      complete: "current-password"
    )
  }
}

extension HTMLBuilder {
  /// Writes the head of a table, whose last column has buttons and no title.
  mutating func tableHead(_ titles: [String]) {
    element("thead") { html in
      html.element("tr") { html in
        for title in titles { html.element("th", .value("scope", "col"), text: title) }
        html.element("td", text: "")
      }
    }
  }

  /// Shows the icon of a feed before its name. The name follows, so the picture needs no text of its own.
  mutating func icon(_ path: String?) {
    guard let path else { return }
    tag(
      "img",
      .class("icon"),
      .path("src", path),
      .value("alt", ""),
      .value("width", "16"),
      .value("height", "16"),
      .value("loading", "lazy")
    )
  }

  /// Writes the icon of a feed before its name, also before a name from right to left.
  mutating func feed(_ name: String, icon path: String?) {
    icon(path)
    element("bdi", text: name)
  }
}
