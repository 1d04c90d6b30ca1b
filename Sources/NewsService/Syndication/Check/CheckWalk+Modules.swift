/// Rules of the vocabularies that stand beside RSS and Atom.
extension CheckWalk {
  mutating func checkAttributes(_ level: Level) {
    if level.attributes["xml:lang"]?.isEmpty == false { check(attribute: "xml:lang", of: level, .language) }
    switch level.name {
    case "itunes:image":
      require(["href"], of: level)
      check(attribute: "href", of: level, .whole)
    case "itunes:category": require(["text"], of: level)
    case "media:content":
      check(attribute: "url", of: level, .whole)
      check(attribute: "medium", of: level, .oneOf(["image", "audio", "video", "document", "executable"]))
      check(attribute: "filesize", of: level, .count)
      checkMediaType(of: level)
    case "media:thumbnail", "media:player":
      require(["url"], of: level)
      check(attribute: "url", of: level, .whole)
      check(attribute: "width", of: level, .count)
      check(attribute: "height", of: level, .count)
    case "podcast:transcript", "podcast:chapters":
      require(["url", "type"], of: level)
      check(attribute: "url", of: level, .whole)
      checkMediaType(of: level)
    case "thr:in-reply-to": require(["ref"], of: level)
    default: break
    }
    if isAtom { checkAtomAttributes(level) } else { checkRSSAttributes(level) }
  }

  mutating func checkModules(_ level: Level, _ value: String) {
    switch level.name {
    case "dc:date", "dcterms:created", "dcterms:modified", "dcterms:issued", "sy:updateBase":
      check(level, value, .w3cDate)
    case "dc:language": check(level, value, .language)
    case "itunes:duration":
      if !CheckedValue.isDuration(value) {
        note(
          level.offset,
          "<itunes:duration> is neither seconds nor hours:minutes:seconds: \(value.prefix(60))."
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
        note(level.offset, "<\(level.name)> is 0.")
      }
    case "itunes:block": check(level, value, .oneOf(["yes", "Yes", "no", "No", "true", "false"]))
    case "itunes:email": check(level, value, .mail)
    case "itunes:new-feed-url", "wfw:commentRss", "wfw:comment": check(level, value, .whole)
    case "itunes:owner":
      if !level.children.contains("itunes:email") {
        note(level.offset, "<itunes:owner> has no <itunes:email>.")
      }
    case "podcast:guid":
      if !CheckedValue.isUUID(value) { note(level.offset, "<podcast:guid> is no UUID: \(value.prefix(60)).") }
    case "podcast:locked": check(level, value, .oneOf(["yes", "no"]))
    case "podcast:person":
      if value.isEmpty { note(level.offset, "<podcast:person> is empty.") }
    case "sy:updatePeriod":
      check(level, value, .oneOf(["hourly", "daily", "weekly", "monthly", "yearly"]))
    case "georss:point": checkPoint(level, value)
    case "geo:lat": checkDegrees(level, value, 90)
    case "geo:long": checkDegrees(level, value, 180)
    default: break
    }
  }

  private mutating func checkPoint(_ level: Level, _ value: String) {
    let parts = value.split { " \t\n\r".contains($0) }.map { Double($0) ?? .infinity }
    if parts.count != 2 || abs(parts[0]) > 90 || abs(parts[1]) > 180 {
      note(level.offset, "<georss:point> is no latitude and longitude: \(value.prefix(60)).")
    }
  }

  private mutating func checkDegrees(_ level: Level, _ value: String, _ limit: Double) {
    if abs(Double(value) ?? .infinity) > limit {
      note(level.offset, "<\(level.name)> is no number of degrees: \(value.prefix(60)).")
    }
  }
}
