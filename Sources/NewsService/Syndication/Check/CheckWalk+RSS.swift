import NewsToolbox

/// Rules of RSS 0.90 to 2.0.
extension CheckWalk {
  private static let versions = ["0.90", "0.91", "0.92", "0.93", "0.94", "2.0", "2.0.1", "2.00", "2.01"]

  /// Checks the attributes of elements without a prefix, and of `atom:link`.
  mutating func checkRSSAttributes(_ level: OpenElement) {
    switch level.name {
    case "rss":
      require(["version"], of: level)
      check(attribute: "version", of: level, .oneOf(Self.versions))
    case "enclosure":
      require(["url", "length", "type"], of: level)
      check(attribute: "url", of: level, .absoluteURL)
      checkMediaType(of: level)
      if let length = level.attributes["length"], !length.isEmpty, CheckedValue.number(length) == nil {
        note(level.offset, "the length of <enclosure> is not a number of bytes")
      }
    case "guid":
      if level.attributes["ispermalink"] == "" { note(level.offset, "the isPermaLink of <guid> is empty") }
      check(attribute: "ispermalink", of: level, .oneOf(["true", "false"]))
    case "cloud":
      require(["domain", "port", "path", "protocol"], of: level)
      check(attribute: "port", of: level, .count)
      if let port = level.attributes["port"].flatMap(CheckedValue.number), !(1...65_535).contains(port) {
        note(level.offset, "the port of <cloud> is not from 1 to 65535: \(port)")
      }
      // With the http-post protocol the attribute is present but empty.
      if level.attributes["registerprocedure"] == nil {
        note(level.offset, "<cloud> has no registerProcedure")
      }
    case "source":
      require(["url"], of: level)
      check(attribute: "url", of: level, .absoluteURL)
    case "channel" where isRSS1, "item" where isRSS1:
      require(["about"], of: level)
      check(attribute: "about", of: level, .absoluteURL)
      if level.name == "item", let about = level.attributes["about"], !about.isEmpty {
        checkUnique(level, about, of: "the rdf:about of <item>")
      }
    case "image" where isRSS1, "textinput" where isRSS1:
      let isReference = levels.last?.name == "channel"
      require([isReference ? "resource" : "about"], of: level)
      check(attribute: isReference ? "resource" : "about", of: level, .absoluteURL)
    case "atom:link":
      require(["href"], of: level)
      if level.attributes["rel"] == "self", let last = levels.indices.last {
        if levels[last].hasSelf {
          note(level.offset, "<\(levels[last].name)> has two links with rel=\"self\"")
        }
        check(attribute: "href", of: level, .absoluteURL)
        levels[last].hasSelf = true
      }
    default: break
    }
  }

  /// True for RSS 1.0, false for 0.90.
  private var isRSS1: Bool { dialect == .rdf && !isVersion090 }

  /// True for RSS 2.0 and later. Earlier versions lack some elements.
  private var isVersion2: Bool {
    guard let version = levels.first?.attributes["version"] else { return true }
    return !version.hasPrefix("0.")
  }

  mutating func checkRSS(_ level: OpenElement, _ value: String) {
    let parent = levels.last?.name ?? ""
    if level.name == "channel" || level.name == "item", !value.isEmpty {
      note(level.offset, "<\(level.name)> contains text: \(value.prefix(60))")
    }
    switch (parent, level.name) {
    case ("channel", "pubDate"), ("channel", "lastBuildDate"), ("item", "pubDate"),
      ("item", "expirationDate"):
      check(level, value, .rfc822)
    case ("channel", "link"), ("item", "link"), ("image", "link"), ("image", "url"), ("textInput", "link"),
      ("item", "comments"), ("channel", "docs"):
      check(level, value, .absoluteURL)
    case ("channel", "language"): check(level, value, .language)
    case ("channel", "managingEditor"), ("channel", "webMaster"), ("item", "author"):
      check(level, value, .mail)
    case ("channel", "ttl"), ("image", "width"), ("image", "height"): checkCount(level, value)
    case ("skipHours", "hour"):
      if CheckedValue.number(value).map({ $0 > 24 }) ?? true {
        note(level.offset, "<hour> is not an hour from 0 to 23: \(value.prefix(60))")
      }
      checkRepeated(level, CheckedValue.number(value).map(String.init) ?? value)
    case ("skipDays", "day"):
      let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
      check(level, value, .oneOf(days))
      checkRepeated(level, value)
    case ("channel", "category"), ("item", "category"):
      if value.isEmpty { note(level.offset, "<category> is empty") }
    case ("channel", "title"), ("item", "title"), ("image", "title"), ("textInput", "title"):
      if value.isEmpty { note(level.offset, "<title> is empty") }
      checkPlain(level, value)
    case ("item", "guid"): checkGuid(level, value)
    case ("item", "description"), ("item", "content:encoded"): checkHTML(level, value)
    case ("rdf:RDF", "image"), ("channel", "image"):
      if dialect == .rss || parent == "rdf:RDF" { requireChildren(["url", "title", "link"], of: level) }
    case ("rdf:RDF", "textinput"): requireChildren(["title", "description", "name", "link"], of: level)
    case ("textInput", "name"):
      if !(value.utf8.first.map(ASCII.isLetter) ?? false) {
        note(level.offset, "<name> does not begin with a letter: \(value.prefix(60))")
      }
    case ("channel", "skipHours"): requireChildren(["hour"], of: level)
    case ("channel", "skipDays"): requireChildren(["day"], of: level)
    case ("channel", "textInput"): requireChildren(["title", "description", "name", "link"], of: level)
    case (_, "channel"): checkChannel(level)
    case (_, "item"): checkItem(level, isInChannel: parent == "channel")
    case ("", "rss"): requireChildren(["channel"], of: level)
    default: break
    }
  }

  /// Checks a positive whole number; RSS 2.0 limits a channel image to 144 × 400 pixels.
  private mutating func checkCount(_ level: OpenElement, _ value: String) {
    check(level, value, .count)
    if CheckedValue.number(value) == 0 { note(level.offset, "<\(level.name)> is 0") }
    let limit = level.name == "width" ? 144 : level.name == "height" ? 400 : Int.max
    if let number = CheckedValue.number(value), number > limit {
      note(level.offset, "<\(level.name)> is more than \(limit): \(value.prefix(60))")
    }
  }

  /// Reports an hour or day that its list already contains.
  private mutating func checkRepeated(_ level: OpenElement, _ value: String) {
    guard let last = levels.indices.last, !value.isEmpty else { return }
    if !levels[last].values.insert(value).inserted {
      note(level.offset, "<\(levels[last].name)> has \(value.prefix(60)) twice")
    }
  }

  private mutating func checkGuid(_ level: OpenElement, _ value: String) {
    guard !value.isEmpty else {
      note(level.offset, "<guid> is empty")
      return
    }
    if level.attributes["ispermalink"] != "false", !CheckedValue.isAbsoluteURL(value) {
      note(
        level.offset,
        "<guid> is not an absolute URL and lacks isPermaLink=\"false\": \(value.prefix(60))"
      )
    } else if level.attributes["ispermalink"] != "false", !CheckedValue.isWebAddress(value) {
      let claim =
        level.attributes["ispermalink"] == nil
        ? "lacks isPermaLink=\"false\"" : "says isPermaLink=\"true\""
      note(level.offset, "<guid> \(claim), but no page has such an address: \(value.prefix(60))")
    }
    checkUnique(level, value)
  }

  private mutating func checkChannel(_ level: OpenElement) {
    requireChildren(["title", "link", "description"], of: level)
    if dialect == .rdf {
      if isRSS1 { requireChildren(["items"], of: level) }
    } else if isVersion2, !level.hasSelf {
      note(level.offset, "<channel> has no <atom:link rel=\"self\"> with the feed's own address")
    }
  }

  private mutating func checkItem(_ level: OpenElement, isInChannel: Bool) {
    if dialect == .rdf {
      requireChildren(["title", "link"], of: level)
      return
    }
    if !level.children.contains("title"), !level.children.contains("description") {
      note(level.offset, "<item> has neither a <title> nor a <description>")
    }
    guard isInChannel else {
      note(level.offset, "<item> is outside <channel>")
      return
    }
    guard isVersion2 else { return }
    if !level.children.contains("guid") { note(level.offset, "<item> has no <guid>") }
    if !level.children.contains("pubDate"), !level.children.contains("dc:date") {
      note(level.offset, "<item> has no <pubDate>")
    }
  }
}
