import NewsService

/// A publisher's word that a hub pushes a feed (W3C WebSub section 4).
struct WebSubOffer: Hashable {
  var topic: String
  var hub: String

  init(topic: String, hub: String) {
    self.topic = topic
    self.hub = hub
  }

  /// Links in the response's header go before those in the document; without a `self` link the URL that answered is the
  /// topic. Nil when no hub is named.
  init?(_ response: FetchResponse, _ document: ParsedFeed?) {
    let links = response.headers
      .filter { $0.name.lowercased() == "link" }
      .flatMap { LinkHeader.parse($0.value) }
    let base = try? RequestURL(response.url)
    func target(_ relation: String) -> String? {
      links.first { $0.relations.contains(relation) }.flatMap { try? base?.resolving($0.target).url }
    }
    let hubs = [target("hub")].compactMap(\.self) + (document?.hubs ?? [])
    // Of several hubs one is enough; the secret wants an encrypted way.
    let usable = hubs.filter { (try? RequestURL($0)).map { $0.scheme != "file" } ?? false }
    guard let hub = usable.first(where: { $0.lowercased().hasPrefix("https:") }) ?? usable.first else {
      return nil
    }
    self.init(topic: target("self") ?? document?.feedURL ?? response.url, hub: hub)
  }
}
