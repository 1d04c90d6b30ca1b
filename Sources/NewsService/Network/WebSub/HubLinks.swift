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
