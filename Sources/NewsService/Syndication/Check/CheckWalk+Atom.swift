/// Rules of Atom (RFC 4287).
extension CheckWalk {
  mutating func checkAtomAttributes(_ level: OpenElement) {
    guard dialect == .atom else {
      if levels.isEmpty { note(level.offset, "Atom 0.3 is obsolete; use Atom 1.0 (RFC 4287)") }
      return
    }
    let parent = levels.last?.name ?? ""
    check(attribute: "xml:base", of: level, .address)
    if !level.spacedAttributes.isEmpty, !level.name.contains(":") { checkAttributeSpace(level) }
    switch level.name {
    case "link" where ["feed", "entry", "source"].contains(parent): checkLink(level)
    case "category":
      require(["term"], of: level)
      check(attribute: "scheme", of: level, .absoluteURL)
    case "generator": check(attribute: "uri", of: level, .address)
    case "content":
      check(attribute: "src", of: level, .address)
      checkSource(level)
      let type = level.attributes["type"] ?? "text"
      if !["text", "html", "xhtml"].contains(type), !CheckedValue.isMediaType(type) {
        note(
          level.offset,
          "the type of <content> is not text, html, xhtml or a media type: \(type.prefix(60))"
        )
      }
      if type.lowercased().hasPrefix("multipart/") || type.lowercased().hasPrefix("message/") {
        note(level.offset, "the type of <content> must not be composite: \(type.prefix(60))")
      }
      let isText =
        ["text", "html", "xhtml"].contains(type) || type.hasPrefix("text/") || type.hasSuffix("xml")
      if level.attributes["src"] != nil || !isText, let last = levels.indices.last {
        levels[last].needsSummary = true
      }
    case "title", "subtitle", "summary", "rights":
      check(attribute: "type", of: level, .oneOf(["text", "html", "xhtml"]))
    default: break
    }
  }

  /// Reports external content whose type is not a media type (section 4.1.3.2).
  private mutating func checkSource(_ level: OpenElement) {
    guard level.attributes["src"] != nil, let type = level.attributes["type"],
      ["text", "html", "xhtml"].contains(type)
    else { return }
    note(level.offset, "the type of <content> with src should be a media type, not \(type)")
  }

  /// Reports white space around dates, identifiers and addresses (section 2).
  mutating func checkSpace(_ level: OpenElement) {
    switch level.name {
    case "id", "uri", "icon", "logo", "updated", "published", "email":
      note(level.offset, "<\(level.name)> has white space around its value")
    default: break
    }
  }

  private mutating func checkAttributeSpace(_ level: OpenElement) {
    for name in ["href", "src", "uri", "scheme"] where level.spacedAttributes.contains(name) {
      note(level.offset, "the \(name) of <\(level.name)> has white space around its value")
    }
  }

  /// Reports a root element outside the Atom namespace (section 1.2).
  mutating func checkNamespace(_ uri: String?, _ name: String, at offset: Int) {
    let wanted = "http://www.w3.org/2005/Atom"
    guard uri != wanted else { return }
    note(
      offset,
      "the namespace of <\(name)> is \(uri.map { "\($0.prefix(100))" } ?? "missing"), not \(wanted)"
    )
  }

  /// Checks `link` and the uniqueness of alternate links (section 4.2.7).
  private mutating func checkLink(_ level: OpenElement) {
    if level.attributes["href"] == nil { note(level.offset, "<link> has no href") }
    check(attribute: "href", of: level, .address)
    check(attribute: "hreflang", of: level, .language)
    check(attribute: "length", of: level, .count)
    checkMediaType(of: level)
    guard level.attributes["href"] != nil, let last = levels.indices.last else { return }
    switch level.attributes["rel"] ?? "alternate" {
    case "alternate":
      let kind = "\(level.attributes["type"] ?? "") \(level.attributes["hreflang"] ?? "")"
      if !levels[last].alternates.insert(kind).inserted {
        note(level.offset, "<\(levels[last].name)> has two alternate links of one type and language")
      }
    case "self":
      if levels[last].hasSelf {
        note(level.offset, "<\(levels[last].name)> has two links with rel=\"self\"")
      }
      levels[last].hasSelf = true
    case "": note(level.offset, "the rel of <link> is empty")
    default: break
    }
  }

  mutating func checkAtom(_ level: OpenElement, _ value: String) {
    guard dialect == .atom else { return }
    let parent = levels.last?.name ?? ""
    switch (parent, level.name) {
    case (_, "updated"), (_, "published"): check(level, value, .atomDate)
    case (_, "id"):
      check(level, value, .absoluteURL)
      if parent == "entry", !value.isEmpty { checkUnique(level, value) }
    case ("feed", "icon"), ("feed", "logo"), ("author", "uri"), ("contributor", "uri"):
      check(level, value, .address)
    case ("author", "email"), ("contributor", "email"):
      if !CheckedValue.isMailAddress(value) {
        note(level.offset, "<email> is not an e-mail address: \(value.prefix(60))")
      }
    case ("author", "name"), ("contributor", "name"):
      if value.isEmpty { note(level.offset, "<name> is empty") }
    case (_, "author"), (_, "contributor"):
      if level.children.isEmpty {
        note(level.offset, "<\(level.name)> is empty")
      } else {
        requireChildren(["name"], of: level)
      }
    case (_, "title"), (_, "subtitle"), (_, "summary"), (_, "rights"), (_, "content"): checkText(level, value)
    case (_, "feed"):
      requireChildren(["id", "title", "updated"], of: level)
      if !level.hasSelf { note(level.offset, "<feed> has no <link rel=\"self\"> with its own address") }
    case (_, "entry"): checkEntry(level)
    default: break
    }
  }

  /// Checks text constructs and content (section 3.1).
  private mutating func checkText(_ level: OpenElement, _ value: String) {
    let type = level.attributes["type"] ?? "text"
    if level.attributes["src"] != nil, !value.isEmpty || !level.children.isEmpty {
      note(level.offset, "<content> has both src and text")
    }
    switch type {
    case "xhtml":
      if !level.children.contains("xhtml:div") {
        note(level.offset, "<\(level.name)> of type xhtml has no <div> of XHTML")
      }
    case "html", "text/html", "application/xhtml+xml": checkHTML(level, value)
    case "text" where level.name == "title": checkPlain(level, value)
    default:
      let isText = ["text", "html"].contains(type) || type.hasPrefix("text/") || type.hasSuffix("xml")
      if !isText, level.attributes["src"] == nil, CheckedValue.isMediaType(type),
        !CheckedValue.isBase64(value)
      {
        note(level.offset, "<content> of type \(type.prefix(60)) is not base64")
      }
    }
  }

  /// Checks the children that an entry requires (sections 4.1.1 and 4.1.2).
  private mutating func checkEntry(_ level: OpenElement) {
    requireChildren(["id", "title", "updated"], of: level)
    if !level.children.contains("author"), !level.children.contains("source"),
      levels.last?.children.contains("author") == false
    {
      note(level.offset, "<entry> has no <author>, and neither has its feed so far")
    }
    if !level.children.contains("content"), level.alternates.isEmpty {
      note(
        level.offset,
        level.children.contains("link")
          ? "<entry> has neither <content> nor an alternate <link>"
          : "<entry> has neither <content> nor <link>"
      )
    }
    if level.needsSummary, !level.children.contains("summary") {
      note(level.offset, "<entry> has no <summary>, but its <content> is external or not text")
    }
  }
}
