import NewsToolbox

public import NewsCore

/// Finds the hub announced by a publisher (W3C WebSub section 4).
public enum HubLinks {
  /// Returns the hub and topic of a feed. A hub with an https URL is preferred; otherwise, links in the
  /// response header take precedence over those in the document. Without a `self` link, the URL of the
  /// response is the topic. With `namesTopic`, only a topic announced by the publisher is accepted.
  /// `document` is nil if the body was not parsed.
  public static func offer(
    _ response: FetchResponse,
    _ document: ParsedFeed?,
    namesTopic: Bool = false
  ) -> HubOffer? {
    let links = response.headers
      .filter { $0.name.lowercased() == "link" }
      .flatMap { LinkHeader.parse($0.value) }
    // Return early: most feeds announce no hub, and then no URL needs parsing.
    let said = document?.hubs ?? []
    guard !said.isEmpty || links.contains(where: { $0.relations.contains("hub") }) else { return nil }
    let base = try? RequestURL(response.url)
    func targets(_ relation: String) -> [String] {
      links.filter { $0.relations.contains(relation) }.compactMap { try? base?.resolving($0.target).url }
    }
    // Choose one hub, which suffices. Prefer an https URL, because the secret is sent to it.
    let usable = (targets("hub") + said).filter { (try? RequestURL($0)).map { $0.scheme != "file" } ?? false }
    guard let hub = usable.first(where: { $0.lowercased().hasPrefix("https:") }) ?? usable.first else {
      return nil
    }
    let named = targets("self").first ?? document?.feedURL.map { (try? RequestURL($0))?.url ?? $0 }
    guard let topic = named ?? (namesTopic ? nil : response.url) else { return nil }
    return HubOffer(topic: topic, hub: hub)
  }
}

/// Parses the `Link` field (RFC 8288).
struct LinkHeader {
  struct Entry: Hashable {
    var target: String
    /// Relation types in lower case.
    var relations: Set<String>
  }

  /// Parses a field value, which may contain several links. Skips malformed parts.
  static func parse(_ value: String) -> [Entry] {
    var entries: [Entry] = []
    var rest = Array(value.utf8)[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      guard let close = rest[open...].firstIndex(of: UInt8(ascii: ">")) else { break }
      let target = String(streamSafe: rest[(open + 1)..<close]).trimmed
      rest = rest[(close + 1)...]
      var relations: Set<String>?
      while let (name, value) = parameter(&rest) {
        // Only the first `rel` is valid (section 3.3).
        if name == "rel", relations == nil {
          relations = Set(
            value.lowercased().unicodeScalars.split { $0.properties.isWhitespace }.map { String($0) }
          )
        }
      }
      if !target.isEmpty { entries.append(Entry(target: target, relations: relations ?? [])) }
    }
    return entries
  }

  /// Parses and consumes a parameter `; name="value"`. Returns nil at the end of the link.
  private static func parameter(_ rest: inout ArraySlice<UInt8>) -> (name: String, value: String)? {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    guard rest.first == UInt8(ascii: ";") else { return nil }
    rest = rest.dropFirst().drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let name = rest.prefix { !";=,".utf8.contains($0) }
    rest = rest.dropFirst(name.count)
    var value: [UInt8] = []
    if rest.first == UInt8(ascii: "=") {
      rest = rest.dropFirst().drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      if rest.first == UInt8(ascii: "\"") {
        rest = rest.dropFirst()
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
          if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
            value.append(escaped)
          } else {
            value.append(byte)
          }
        }
      } else {
        value = Array(rest.prefix { !";,".utf8.contains($0) })
        rest = rest.dropFirst(value.count)
      }
    }
    return (
      String(streamSafe: name).trimmed.lowercased(),
      String(streamSafe: value).trimmed
    )
  }
}
