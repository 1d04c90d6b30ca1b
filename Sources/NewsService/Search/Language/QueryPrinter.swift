public import NewsCore
import NewsToolbox

/// Formats queries in the language that `QueryParser` parses.
public enum QueryPrinter {
  /// Returns the canonical text, which parses to an equivalent query, except that the language cannot express
  /// `feedID`: `feed:12` selects feeds with 12 in title or URL. Empty for a query that selects everything.
  ///
  /// Times are absolute. To keep a relative `since:3d`, save the typed text instead.
  public static func text(_ query: Query, order: ItemOrder? = nil) -> String {
    var text = query == .all ? "" : render(query, within: .list)
    if let order {
      if !text.isEmpty { text += " " }
      text += "sort:\(order.rawValue)"
    }
    return text
  }

  private enum Place { case list, choice, negation }

  private static func render(_ query: Query, within place: Place) -> String {
    switch query {
    case .all:
      return place == .list ? "" : "since:0000-01-01"
    case .and(let parts):
      let inner = parts.map { render($0, within: .list) }.filter { !$0.isEmpty }.joined(separator: " ")
      if inner.isEmpty { return render(.all, within: place) }
      return place == .negation ? "(\(inner))" : inner
    case .or(let parts):
      // A disjunction without alternatives selects nothing: print a condition that selects nothing either.
      guard !parts.isEmpty else { return "until:0000-01-01" }
      let inner = parts.map { render($0, within: .choice) }.joined(separator: " OR ")
      return place == .choice || parts.count == 1 ? inner : "(\(inner))"
    case .not(let part):
      if case .not(let inner) = part { return render(inner, within: place) }
      return "-" + render(part, within: .negation)
    case .text(let match): return word(match)
    case .feedID(let id): return "feed:\(id.rawValue)"
    case .feed(let name): return "feed:" + value(name)
    case .folder(let name): return "folder:" + value(name)
    case .tag(let name): return "tag:" + value(name)
    case .label(let name): return "label:" + value(name)
    case .url(let part): return "url:" + value(part)
    case .language(let tag): return "lang:" + value(tag)
    case .isRead(let state): return state ? "is:read" : "is:unread"
    case .isStarred(let state): return state ? "is:starred" : "is:unstarred"
    case .hasEnclosure: return "has:enclosure"
    case .since(let time): return "since:" + time.rfc3339
    case .until(let time): return "until:" + time.rfc3339
    case .storedSince(let time): return "stored:" + time.rfc3339
    case .regex(let source, let field): return prefix(field) + "/\(escapedSlashes(source))/"
    case .saved(let name): return "saved:" + value(name)
    }
  }

  private static func word(_ match: TextMatch) -> String {
    let field = prefix(match.field)
    switch match.kind {
    case .phrase: return field + quoted(match.text)
    case .prefix: return field + (isPlain(match.text) ? match.text : quoted(match.text)) + "*"
    case .word: return field + (isPlain(match.text) ? match.text : quoted(match.text))
    }
  }

  private static func prefix(_ field: TextMatch.Field) -> String {
    switch field {
    case .any: ""
    case .title: "title:"
    case .author: "author:"
    }
  }

  private static func value(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

  /// True for text that the parser reads as one word without quotes, in any position.
  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, text != "OR", text != "AND", text != "NOT",
      !text.hasSuffix(bytesOf: "*")
    else { return false }
    if "-(/\"“„«»「『".unicodeScalars.contains(first) { return false }
    return !text.unicodeScalars.contains {
      $0.properties.isWhitespace || $0 == ":" || $0 == "(" || $0 == ")" || $0 == "\""
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }

  /// Escapes slashes: a slash followed by a space would end the expression.
  private static func escapedSlashes(_ source: String) -> String {
    var result = ""
    var isEscaped = false
    for scalar in source.unicodeScalars {
      if scalar == "/", !isEscaped { result += "\\" }
      result.unicodeScalars.append(scalar)
      isEscaped = scalar == "\\" && !isEscaped
    }
    return result
  }
}

extension QueryPrinter {
  /// Returns how a query was parsed: one line per part, indented by nesting; words with the tokens that are searched
  /// for.
  public static func explanation(_ query: Query) -> [String] {
    var lines: [String] = []
    explain(query, 0, &lines)
    return lines
  }

  private static func explain(_ query: Query, _ depth: Int, _ lines: inout [String]) {
    let indent = String(repeating: "  ", count: depth)
    switch query {
    case .all:
      lines.append(indent + "everything")
    case .and(let parts):
      lines.append(indent + "all of")
      for part in parts { explain(part, depth + 1, &lines) }
    case .or(let parts):
      lines.append(indent + "any of")
      for part in parts { explain(part, depth + 1, &lines) }
    case .not(let part):
      lines.append(indent + "not")
      explain(part, depth + 1, &lines)
    case .text(let match):
      lines.append(indent + explain(match))
    default:
      lines.append(indent + render(query, within: .list))
    }
  }

  private static func explain(_ match: TextMatch) -> String {
    let place =
      switch match.field {
      case .any: "title, text or author"
      case .title: "title"
      case .author: "author"
      }
    let forms = match.spellings.map { spelling in
      let pattern = TermPattern(spelling, isPrefix: match.kind == .prefix)
      return pattern.steps.map { $0.joined(separator: "|") }.joined(separator: " ")
        + (pattern.endsOpen ? "…" : "")
    }
    let looked = forms.filter { !$0.isEmpty }
    let tokens =
      looked.isEmpty ? "nothing to look for: it contains no word" : looked.joined(separator: ", or ")
    return "\(match.kind) \"\(match.text)\" in \(place): \(tokens)"
  }
}
