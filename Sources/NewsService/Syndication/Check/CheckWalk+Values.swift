/// Rules for values, independent of the element.
extension CheckWalk {
  enum Form {
    case rfc822, rfc3339, atomDate, w3cDate, address, absoluteURL, language, count, mail
    case oneOf([String])
  }

  /// Reports an element's value that does not have the required form.
  mutating func check(_ level: OpenElement, _ value: String, _ form: Form) {
    guard !value.isEmpty else {
      note(level.offset, "<\(level.name)> is empty")
      return
    }
    check(value, of: "<\(level.name)>", form, at: level.offset)
  }

  mutating func check(_ value: String, of what: String, _ form: Form, at offset: Int) {
    let shown = value.prefix(60)
    switch form {
    case .rfc822: checkDate(value, of: what, CheckedValue.faultOfRFC822, at: offset)
    case .rfc3339: checkDate(value, of: what, CheckedValue.faultOfRFC3339, at: offset)
    case .atomDate: checkDate(value, of: what, CheckedValue.faultOfAtomDate, at: offset)
    case .w3cDate: checkDate(value, of: what, CheckedValue.faultOfW3CDate, at: offset)
    case .address:
      if !CheckedValue.isURL(value) { note(offset, "\(what) is not a URL: \(shown)") }
    case .absoluteURL:
      if !CheckedValue.isAbsoluteURL(value) { note(offset, "\(what) is not an absolute URL: \(shown)") }
    case .language:
      if !CheckedValue.isLanguage(value) {
        note(offset, "\(what) is not a BCP 47 language tag such as en or pt-BR: \(shown)")
      }
    case .count:
      if CheckedValue.number(value) == nil { note(offset, "\(what) is not a whole number: \(shown)") }
    case .mail:
      if !CheckedValue.containsMailAddress(value) { note(offset, "\(what) has no e-mail address: \(shown)") }
    case .oneOf(let words):
      if !words.contains(value) {
        note(offset, "\(what) is \(shown), not one of \(words.joined(separator: ", "))")
      }
    }
  }

  private mutating func checkDate(
    _ value: String,
    of what: String,
    _ fault: (String) -> String?,
    at offset: Int
  ) {
    guard let date = DateParser.parse(value) else {
      note(offset, "\(what) is not a date: \(value.prefix(60))")
      return
    }
    if let fault = fault(value) { note(offset, "\(what) \(fault)") }
    if date > latest { note(offset, "\(what) is in the future: \(value.prefix(60))") }
  }

  /// Reports missing and empty attributes.
  mutating func require(_ names: [String], of level: OpenElement) {
    for name in names where (level.attributes[name] ?? "").isEmpty {
      note(level.offset, "<\(level.name)> has no \(Self.spelling[name] ?? name)")
    }
  }

  /// The spelling of attribute names that contain upper-case letters or a prefix.
  private static let spelling = [
    "about": "rdf:about", "filesize": "fileSize", "isdefault": "isDefault", "ispermalink": "isPermaLink",
    "registerprocedure": "registerProcedure", "resource": "rdf:resource",
  ]

  /// Checks the form of an attribute if the element has it.
  mutating func check(attribute name: String, of level: OpenElement, _ form: Form) {
    guard let value = level.attributes[name], !value.isEmpty else { return }
    check(value, of: "the \(Self.spelling[name] ?? name) of <\(level.name)>", form, at: level.offset)
  }

  mutating func checkMediaType(of level: OpenElement) {
    guard let type = level.attributes["type"], !type.isEmpty, !CheckedValue.isMediaType(type) else { return }
    note(level.offset, "the type of <\(level.name)> is not a media type: \(type.prefix(60))")
  }

  /// Reports missing child elements.
  mutating func requireChildren(_ names: [String], of level: OpenElement) {
    for name in names where !level.children.contains(name) {
      note(level.offset, "<\(level.name)> has no <\(name)>")
    }
  }

  mutating func checkHTML(_ level: OpenElement, _ value: String) {
    guard value.utf8.contains(UInt8(ascii: "<")) else { return }
    var value = value
    let hasBase = level.attributes["xml:base"] != nil || levels.contains { $0.attributes["xml:base"] != nil }
    let messages = value.withUTF8 { ContentCheck.findings($0, in: level.name, allowsRelative: hasBase) }
    for message in messages { note(level.offset, message) }
  }

  /// Reports markup in a title, because readers drop the tags or show them literally.
  mutating func checkPlain(_ level: OpenElement, _ value: String) {
    guard value.utf8.contains(UInt8(ascii: "<")) else { return }
    var value = value
    if value.withUTF8(Sniffer.isMarkup) {
      note(level.offset, "<\(level.name)> contains markup; titles are plain text")
    }
  }

  /// Reports an id that repeats the id of an earlier item.
  mutating func checkUnique(_ level: OpenElement, _ value: String, of what: String? = nil) {
    if !ids.insert((what ?? "") + value).inserted {
      note(level.offset, "\(what ?? "<\(level.name)>") is also that of another item: \(value.prefix(60))")
    }
  }
}
