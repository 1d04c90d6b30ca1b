import NewsToolbox

/// The protocol of Google Reader, as FreshRSS, Miniflux, The Old Reader, BazQux, FreshRSS's clients and newsd speak it.
struct GreaderServer: ItemServer {
  private let base: String
  private let credentials: ServerCredentials
  private let requests: ServerRequests
  private var token = ""
  /// The names of folders, which some servers also list as labels of each item.
  private var folders: Set<String> = []
  var place: String?
  private var isAtEnd = false
  private static let pageSize = 500

  init(_ base: String, _ credentials: ServerCredentials, _ requests: ServerRequests) {
    self.base = base.withoutTrailingSlash
    self.credentials = credentials
    self.requests = requests
  }

  private var headers: [String] { ["Authorization: GoogleLogin auth=\(token)"] }

  mutating func feeds() async throws(ServerError) -> [ServerFeed] {
    let login = try await requests.send(
      base + "/accounts/ClientLogin",
      form: [
        ("service", "reader"), ("Email", credentials.user ?? ""), ("Passwd", credentials.password),
        ("output", "text"), ("accountType", "GOOGLE"), ("source", "newsd"),
      ]
    )
    let lines = String(streamSafe: login).split(ascii: "\n", atMost: 100)
    guard let line = lines.first(where: { $0.hasPrefix(bytesOf: "Auth=") }) else {
      throw ServerError(.badAnswer, "the server gives no Auth token; check the address and --api")
    }
    token = String(line.slice(5...).trimmingBlanks)
    guard FeedSettings.isSendable(token) else {
      throw ServerError(.badAnswer, "the server's Auth token has control characters")
    }
    let list = try await requests.json(base + "/reader/api/0/subscription/list?output=json", headers: headers)
    return try list.list("subscriptions").compactMap { entry in
      guard let id = entry["id"]?.string else { return nil }
      let url = entry["url"]?.string ?? id.cut(atFirst: "/").map { String($0.after) } ?? ""
      let folder = entry["categories"]?.array?.compactMap { $0["label"]?.string }.first
      if let folder { folders.insert(folder) }
      return ServerFeed(
        id: id,
        feed: NewFeed(
          url: url,
          title: entry["title"]?.string,
          siteURL: entry["htmlUrl"]?.string,
          folder: folder
        )
      )
    }
  }

  mutating func nextItems() async throws(ServerError) -> [ServerItem]? {
    guard !isAtEnd else { return nil }
    // The oldest first, so that items which arrive meanwhile move no page.
    var url =
      base
      + "/reader/api/0/stream/contents/user/-/state/com.google/reading-list?output=json&r=o&n=\(Self.pageSize)"
    if let place { url += "&c=" + ServerRequests.encoded(place) }
    let page = try await requests.json(url, headers: headers)
    let items = try page.list("items")
    let next = page["continuation"]?.looseText
    guard next != place || next == nil else {
      throw ServerError(.badAnswer, "the server gives the same page of items again and again")
    }
    place = next
    isAtEnd = next == nil
    return items.compactMap(item)
  }

  private func item(_ entry: JSONValue) -> ServerItem? {
    guard let feed = entry["origin"]?["streamId"]?.string else { return nil }
    return ServerItem(feed: feed, item: GreaderItem.read(entry, folders: folders))
  }
}

extension String {
  var withoutTrailingSlash: String { hasSuffix(bytesOf: "/") ? String(slice(0..<utf8.count - 1)) : self }
}
