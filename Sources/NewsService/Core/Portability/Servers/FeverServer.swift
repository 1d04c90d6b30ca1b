import NewsToolbox

/// The Fever API, version 3 (feedafever.com/api). It has no labels.
struct FeverServer: ItemServer {
  /// Maximum number of feeds in all groups together; further ones are in no folder.
  private static let mostMembers = 100_000

  private let base: String
  private let key: String
  private let requests: ServerRequests
  private var last: Int64 = 0
  var place: String? {
    get { last > 0 ? String(last) : nil }
    set { last = newValue.flatMap { Int64($0) } ?? 0 }
  }

  init(_ base: String, _ credentials: ServerCredentials, _ requests: ServerRequests) {
    self.base = base
    self.requests = requests
    key = Hex.encode(MD5.digest(Array("\(credentials.user ?? ""):\(credentials.password)".utf8)))
  }

  private func ask(_ query: String) async throws(ServerError) -> JSONValue {
    let mark = base.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    let answer = try await requests.json("\(base)\(mark)api&\(query)", form: [("api_key", key)])
    guard answer["auth"]?.looseBool == true else {
      throw ServerError(
        .refused,
        "the server refuses the name or password; check --user and the API password"
      )
    }
    return answer
  }

  func feeds() async throws(ServerError) -> [ServerFeed] {
    let answer = try await ask("feeds&groups")
    var groups = answer["groups"]
    if groups == nil { groups = try await ask("groups")["groups"] }
    var titles: [String: String] = [:]
    for group in groups?.array ?? [] {
      if let id = group["id"]?.looseText, let title = group["title"]?.string { titles[id] = title }
    }
    var folders: [String: String] = [:]
    var left = Self.mostMembers
    for group in answer["feeds_groups"]?.array ?? [] {
      guard let title = group["group_id"]?.looseText.flatMap({ titles[$0] }) else { continue }
      for id in (group["feed_ids"]?.looseText ?? "").split(ascii: ",", atMost: left) {
        left -= 1
        folders[String(id.trimmingBlanks)] = title
      }
    }
    return try answer.list("feeds").compactMap { ServerFeed($0, url: "url") { folders[$0] } }
  }

  mutating func nextItems() async throws(ServerError) -> [ServerItem]? {
    let items = try await ask("items&since_id=\(last)").list("items")
    guard let newest = try JSONValue.newestID(of: items) else { return nil }
    guard newest > last else {
      throw ServerError(.badAnswer, "the server gives the same items again and again")
    }
    last = newest
    return items.compactMap { entry in
      guard let feed = entry["feed_id"]?.looseText else { return nil }
      var item = ParsedItem()
      item.title = entry["title"]?.string
      item.url = entry["url"]?.string
      item.contentHTML = entry["html"]?.string
      item.published = entry["created_on_time"]?.looseInteger.map { Timestamp(seconds: $0) }
      if let author = entry["author"]?.string, !author.isEmpty { item.authors = [Author(name: author)] }
      var imported = ImportedItem(item: item)
      imported.isRead = entry["is_read"]?.looseBool ?? false
      imported.isStarred = entry["is_saved"]?.looseBool ?? false
      return ServerItem(feed: feed, item: imported)
    }
  }
}
