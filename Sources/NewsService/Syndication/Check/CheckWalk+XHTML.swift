/// Rules for inline XHTML: the same as for HTML.
extension CheckWalk {
  /// Reports active content and relative URLs of an element of inline XHTML, which may also be SVG or MathML.
  mutating func checkXHTML(_ level: inout OpenElement, _ local: String) {
    guard let owner = contentOwner(within: level) else { return }
    if ContentRules.isActive(ContentRules.element(named: local), rel: level.attributes["rel"]) {
      note(.element, "contains <\(local)>, which readers remove", owner, &level)
    }
    if let handler = level.attributes.keys.filter({ $0.hasPrefix("on") && $0.utf8.count > 2 }).min() {
      note(.handler, "contains the event handler \(handler), which readers remove", owner, &level)
    }
    let urls = ["href", "src", "poster", "action", "formaction"].compactMap { level.attributes[$0] }
    if let scheme = urls.lazy.compactMap(ContentRules.activeScheme).first {
      note(.scheme, "contains a \(scheme) URL, which readers remove", owner, &level)
    }
    let relative =
      urls.first(where: ContentRules.isRelative)
      ?? level.attributes["srcset"].flatMap(ContentRules.firstRelativeURL)
    if let relative, level.attributes["xml:base"] == nil,
      !levels.contains(where: { $0.attributes["xml:base"] != nil })
    {
      note(.relativeURL, "contains a relative URL: \(relative.prefix(60))", owner, &level)
    }
  }

  /// Reports `<?import?>` in inline XHTML, because old browsers load code with it.
  mutating func instruction(_ target: String) {
    guard target.lowercased() == "import", let index = contentOwner(within: nil),
      levels[index].reportedContent.insert(.instruction).inserted
    else { return }
    note(levels[index].offset, "<\(levels[index].name)> contains <?import>, which readers remove")
  }

  /// Returns the index in `levels` of the element that contains the inline XHTML around `level`, or around an
  /// instruction if `level` is nil; returns nil outside of XHTML. The element is the outermost `xhtml:body`,
  /// or the parent of another outermost XHTML element. `levels.count` means `level` itself.
  private func contentOwner(within level: OpenElement?) -> Int? {
    let outermost = levels.firstIndex { $0.name.hasPrefix("xhtml:") }
    let name = outermost.map { levels[$0].name } ?? level?.name
    guard let name, name.hasPrefix("xhtml:") else { return nil }
    let index = outermost ?? levels.count
    return name == "xhtml:body" ? index : index > 0 ? index - 1 : nil
  }

  /// Reports a finding about the owner's XHTML, unless a finding of its kind was reported already.
  private mutating func note(
    _ kind: ContentRules.Kind,
    _ message: String,
    _ owner: Int,
    _ level: inout OpenElement
  ) {
    let name = owner < levels.count ? levels[owner].name : level.name
    let isNew =
      owner < levels.count
      ? levels[owner].reportedContent.insert(kind).inserted : level.reportedContent.insert(kind).inserted
    if isNew { note(level.offset, "<\(name)> \(message)") }
  }
}
