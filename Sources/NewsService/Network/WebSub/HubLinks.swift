public import NewsCore

/// Finds the hub that a publisher names (W3C WebSub section 4).
public enum HubLinks {
  /// Links in the response's header go before those in the document; without a `self` link the URL that answered is the
  /// topic. Nil when no hub is named.
  public static func offer(_ response: FetchResponse, _ document: ParsedFeed?) -> HubOffer? {
    let links = response.headers
      .filter { $0.name.lowercased() == "link" }
      .flatMap { LinkHeader.parse($0.value) }
    // Most feeds name none, and pay for no URL parser.
    let said = document?.hubs ?? []
    guard !said.isEmpty || links.contains(where: { $0.relations.contains("hub") }) else { return nil }
    let base = try? RequestURL(response.url)
    func targets(_ relation: String) -> [String] {
      links.filter { $0.relations.contains(relation) }.compactMap { try? base?.resolving($0.target).url }
    }
    // Of several hubs one is enough; the secret wants an encrypted way.
    let usable = (targets("hub") + said).filter { (try? RequestURL($0)).map { $0.scheme != "file" } ?? false }
    guard let hub = usable.first(where: { $0.lowercased().hasPrefix("https:") }) ?? usable.first else {
      return nil
    }
    return HubOffer(topic: targets("self").first ?? document?.feedURL ?? response.url, hub: hub)
  }
}
