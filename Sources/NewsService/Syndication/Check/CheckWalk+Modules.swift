import NewsToolbox

/// Rules for the namespaced modules: iTunes, Media RSS, Dublin Core, Podcasting 2.0 and others.
extension CheckWalk {
  mutating func checkAttributes(_ level: OpenElement) {
    if level.attributes["xml:lang"]?.isEmpty == false { check(attribute: "xml:lang", of: level, .language) }
    switch level.name {
    case "itunes:image":
      require(["href"], of: level)
      check(attribute: "href", of: level, .absoluteURL)
    case "itunes:category": require(["text"], of: level)
    case "media:content":
      check(attribute: "url", of: level, .absoluteURL)
      check(attribute: "medium", of: level, .oneOf(["image", "audio", "video", "document", "executable"]))
      check(attribute: "filesize", of: level, .count)
      checkMediaType(of: level)
      for name in ["bitrate", "framerate", "samplingrate", "channels", "duration"] {
        checkAmount(name, of: level)
      }
      check(attribute: "width", of: level, .count)
      check(attribute: "height", of: level, .count)
      check(attribute: "isdefault", of: level, .oneOf(["true", "false"]))
      check(attribute: "expression", of: level, .oneOf(["sample", "full", "nonstop"]))
      check(attribute: "lang", of: level, .language)
    case "media:hash": check(attribute: "algo", of: level, .oneOf(["md5", "sha-1"]))
    case "media:rating": check(attribute: "scheme", of: level, .absoluteURL)
    case "media:credit":
      if let role = level.attributes["role"], role != role.lowercased() {
        note(level.offset, "the role of <media:credit> is not in lower case: \(role.prefix(60))")
      } else if let role = level.attributes["role"], !role.isEmpty,
        (level.attributes["scheme"] ?? "urn:ebu") == "urn:ebu", !CheckVocabulary.creditRoles.contains(role)
      {
        note(level.offset, "the role of <media:credit> is not one of the EBU's roles: \(role.prefix(60))")
      }
    case "media:restriction":
      require(["relationship"], of: level)
      check(attribute: "relationship", of: level, .oneOf(["allow", "deny"]))
      check(attribute: "type", of: level, .oneOf(["country", "uri", "sharing"]))
    case "media:title", "media:description", "media:text":
      check(attribute: "type", of: level, .oneOf(["plain", "html"]))
      check(attribute: "lang", of: level, .language)
      checkTime("start", of: level)
      checkTime("end", of: level)
    case "media:copyright": check(attribute: "url", of: level, .absoluteURL)
    case "itunes:duration":
      if levels.last?.name == "channel" {
        note(level.offset, "<channel> must not contain <itunes:duration>")
      }
    case "media:thumbnail", "media:player":
      if level.name == "media:thumbnail" { checkTime("time", of: level) }
      require(["url"], of: level)
      check(attribute: "url", of: level, .absoluteURL)
      check(attribute: "width", of: level, .count)
      check(attribute: "height", of: level, .count)
    case "podcast:transcript", "podcast:chapters":
      require(["url", "type"], of: level)
      check(attribute: "url", of: level, .absoluteURL)
      checkMediaType(of: level)
    case "thr:in-reply-to": require(["ref"], of: level)
    default: break
    }
    if isAtom { checkAtomAttributes(level) } else { checkRSSAttributes(level) }
  }

  /// Checks an attribute that is a non-negative number, with or without a fraction.
  private mutating func checkAmount(_ name: String, of level: OpenElement) {
    guard let value = level.attributes[name], !value.isEmpty else { return }
    let parts = value.split(ascii: ".", omittingEmptySubsequences: false)
    if parts.count > 2 || !parts.allSatisfy({ CheckedValue.number(String($0)) != nil }) {
      note(level.offset, "the \(name) of <\(level.name)> is not a number: \(value.prefix(60))")
    }
  }

  /// Checks an attribute that is a playback position (RFC 2326 section 3.6).
  private mutating func checkTime(_ name: String, of level: OpenElement) {
    guard let value = level.attributes[name], !value.isEmpty, !CheckedValue.isPlayTime(value) else { return }
    note(level.offset, "the \(name) of <\(level.name)> is not hours:minutes:seconds: \(value.prefix(60))")
  }

  /// Checks hashes, ratings and restrictions (Media RSS 1.5.1).
  private mutating func checkMedia(_ level: OpenElement, _ value: String) {
    switch level.name {
    case "media:hash":
      let length = level.attributes["algo"] == "sha-1" ? 40 : 32
      if value.utf8.count != length || !value.utf8.allSatisfy({ ASCII.hexValue($0) != nil }) {
        note(level.offset, "<media:hash> is not \(length) hexadecimal digits: \(value.prefix(60))")
      }
    case "media:rating":
      switch level.attributes["scheme"] ?? "urn:simple" {
      case "urn:simple": check(level, value, .oneOf(["adult", "nonadult"]))
      case "urn:mpaa": check(level, value.lowercased(), .oneOf(["g", "pg", "pg-13", "r", "nc-17", "nr"]))
      case "urn:v-chip":
        check(
          level,
          value.lowercased(),
          .oneOf(["tv-y", "tv-y7", "tv-y7-fv", "tv-g", "tv-pg", "tv-14", "tv-ma", "all-children"])
        )
      case "urn:icra":
        if !value.hasPrefix("r (") || !value.hasSuffix(")") {
          note(level.offset, "<media:rating> is not an ICRA label such as r (cz 1): \(value.prefix(60))")
        }
      default: break
      }
    case "media:restriction" where level.attributes["type"] == "country":
      for country in value.split(ascii: " ")
      where country.utf8.count != 2 || !country.utf8.allSatisfy(ASCII.isLetter) {
        note(
          level.offset,
          "<media:restriction> contains a country that is not two letters: \(country.prefix(60))"
        )
      }
    default: break
    }
  }

  mutating func checkModules(_ level: OpenElement, _ value: String) {
    switch level.name {
    case "dc:date", "dcterms:created", "dcterms:modified", "dcterms:issued", "sy:updateBase":
      check(level, value, .w3cDate)
    case "dc:language": check(level, value, .language)
    case "itunes:duration":
      if !CheckedValue.isDuration(value) {
        note(
          level.offset,
          "<itunes:duration> is not seconds or hours:minutes:seconds: \(value.prefix(60))"
        )
      }
    case "itunes:explicit": check(level, value, .oneOf(["true", "false", "yes", "no", "clean", "explicit"]))
    case "itunes:episodeType": check(level, value, .oneOf(["full", "trailer", "bonus"]))
    case "itunes:type": check(level, value, .oneOf(["episodic", "serial"]))
    case "itunes:episode", "itunes:season", "podcast:season", "slash:comments", "thr:total",
      "sy:updateFrequency":
      check(level, value, .count)
      if CheckedValue.number(value) == 0, level.name == "sy:updateFrequency" || level.name == "itunes:episode"
      {
        note(level.offset, "<\(level.name)> is 0")
      }
    case "itunes:block": check(level, value, .oneOf(["yes", "Yes", "no", "No", "true", "false"]))
    case "itunes:email": check(level, value, .mail)
    case "itunes:new-feed-url", "wfw:commentRss", "wfw:comment": check(level, value, .absoluteURL)
    case "itunes:owner":
      if !level.children.contains("itunes:email") {
        note(level.offset, "<itunes:owner> has no <itunes:email>")
      }
    case "itunes:summary": checkHTML(level, value)
    case "media:title", "media:description", "media:text":
      if level.attributes["type"] == "html" { checkHTML(level, value) }
    case "podcast:guid":
      if !CheckedValue.isUUID(value) {
        note(level.offset, "<podcast:guid> is not a UUID: \(value.prefix(60))")
      }
    case "podcast:locked": check(level, value, .oneOf(["yes", "no"]))
    case "podcast:person":
      if value.isEmpty { note(level.offset, "<podcast:person> is empty") }
    case "sy:updatePeriod":
      check(level, value, .oneOf(["hourly", "daily", "weekly", "monthly", "yearly"]))
    case "georss:point": checkPoint(level, value)
    case "geo:lat": checkDegrees(level, value, 90)
    case "geo:long": checkDegrees(level, value, 180)
    case "slash:hit_parade":
      if !value.split(ascii: ",", omittingEmptySubsequences: false).allSatisfy({
        CheckedValue.number(String($0)) != nil
      }) {
        note(level.offset, "<slash:hit_parade> is not a list of numbers: \(value.prefix(60))")
      }
    default: if level.name.hasPrefix("media:") { checkMedia(level, value) }
    }
  }

  private mutating func checkPoint(_ level: OpenElement, _ value: String) {
    let parts = value.split { " \t\n\r".contains($0) }.map { Double($0) ?? .infinity }
    if parts.count != 2 || abs(parts[0]) > 90 || abs(parts[1]) > 180 {
      note(level.offset, "<georss:point> is not a latitude and a longitude: \(value.prefix(60))")
    }
  }

  private mutating func checkDegrees(_ level: OpenElement, _ value: String, _ limit: Double) {
    if abs(Double(value) ?? .infinity) > limit {
      note(level.offset, "<\(level.name)> is not a number of degrees: \(value.prefix(60))")
    }
  }
}
