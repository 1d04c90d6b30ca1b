public import NewsCore

/// Finds the hub that a publisher names (W3C WebSub section 4).
public enum HubLinks {
  /// Links in the response's header go before those in the document; without a `self` link the URL that answered is the
  /// topic.
  ///
  /// - Parameters:
  ///   - response: The feed's response.
  ///   - document: What it holds; nil: it was not read.
  ///   - namesTopic: True: only the publisher's own name for the feed is taken for the topic.
  /// - Returns: Nil when no hub is named, or no topic where it has to be.
  public static func offer(
    _ response: FetchResponse,
    _ document: ParsedFeed?,
    namesTopic: Bool = false
  ) -> HubOffer? {
    let links = response.headers
      .filter { $0.name.lowercased() == "link" }
      .flatMap { LinkHeader.parse($0.value) }
    // Most feeds name no hub and need no URL parser.
    let said = document?.hubs ?? []
    guard !said.isEmpty || links.contains(where: { $0.relations.contains("hub") }) else { return nil }
    let base = try? RequestURL(response.url)
    func targets(_ relation: String) -> [String] {
      links.filter { $0.relations.contains(relation) }.compactMap { try? base?.resolving($0.target).url }
    }
    // One of several hubs is enough. An encrypted one is preferred, because the secret is sent there.
    let usable = (targets("hub") + said).filter { (try? RequestURL($0)).map { $0.scheme != "file" } ?? false }
    guard let hub = usable.first(where: { $0.lowercased().hasPrefix("https:") }) ?? usable.first else {
      return nil
    }
    let named = targets("self").first ?? document?.feedURL.map { (try? RequestURL($0))?.url ?? $0 }
    guard let topic = named ?? (namesTopic ? nil : response.url) else { return nil }
    return HubOffer(topic: topic, hub: hub)
  }
}
