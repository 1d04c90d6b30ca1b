import NewsToolbox

/// Miniflux's own API, version 1.
struct MinifluxServer: ItemServer {
  private let base: String
  private let requests: ServerRequests
  private let headers: [String]
  private var last: Int64 = 0
  var place: String? {
    get { last > 0 ? String(last) : nil }
    set { last = newValue.flatMap { Int64($0) } ?? 0 }
  }
  private static let pageSize = 500

  init(_ base: String, _ credentials: ServerCredentials, _ requests: ServerRequests) {
    let base = base.withoutTrailingSlash
    self.base = base.hasSuffix(bytesOf: "/v1") ? String(base.dropLast(3)) : base
    self.requests = requests
    if let user = credentials.user {
      headers = ["Authorization: Basic " + Base64.encode(Array("\(user):\(credentials.password)".utf8))]
    } else {
      headers = ["X-Auth-Token: \(credentials.password)"]
    }
  }

  func feeds() async throws(ServerError) -> [ServerFeed] {
    let list = try await requests.json(base + "/v1/feeds", headers: headers)
    return try list.list().compactMap { entry in
      ServerFeed(entry, url: "feed_url") { _ in entry["category"]?["title"]?.string }
    }
  }

  mutating func nextItems() async throws(ServerError) -> [ServerItem]? {
    var url = base + "/v1/entries?order=id&direction=asc&limit=\(Self.pageSize)"
    if last > 0 { url += "&after_entry_id=\(last)" }
    let page = try await requests.json(url, headers: headers)
    let entries = try page.list("entries")
    guard let newest = try JSONValue.newestID(of: entries) else { return nil }
    guard newest > last else {
      throw ServerError(.badAnswer, "the server gives the same page of entries again and again")
    }
    last = newest
    return entries.compactMap(item)
  }

  private func item(_ entry: JSONValue) -> ServerItem? {
    guard let feed = entry["feed_id"]?.looseText, entry["status"]?.string != "removed" else { return nil }
    var item = ParsedItem()
    item.title = entry["title"]?.string
    item.url = entry["url"]?.string
    item.contentHTML = entry["content"]?.string
    item.published = entry["published_at"]?.string.flatMap { Timestamp(internet: $0) }
    item.commentsURL = entry["comments_url"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    if let author = entry["author"]?.string, !author.isEmpty { item.authors = [Author(name: author)] }
    item.tags = (entry["tags"]?.array ?? []).compactMap { $0.string.map { Category(term: $0) } }
    item.enclosures = (entry["enclosures"]?.array ?? []).compactMap { value in
      value["url"]?.string.map {
        Enclosure(url: $0, mimeType: value["mime_type"]?.string, size: value["size"]?.looseInteger)
      }
    }
    var imported = ImportedItem(item: item)
    imported.isRead = entry["status"]?.string == "read"
    imported.isStarred = entry["starred"]?.looseBool ?? false
    return ServerItem(feed: feed, item: imported)
  }
}

extension Timestamp {
  /// Parses a date as Internet protocols write it (RFC 3339 section 5.6); fractions of a second are dropped.
  init?(internet text: String) {
    let bytes = Array(text.utf8)
    func number(_ start: Int, _ count: Int) -> Int? {
      guard bytes.count >= start + count, bytes[start..<start + count].allSatisfy(ASCII.isDigit) else {
        return nil
      }
      return Int(String(decoding: bytes[start..<start + count], as: UTF8.self))
    }
    guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
      let minute = number(14, 2), let second = number(17, 2), (1...12).contains(month),
      (1...31).contains(day),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    var place = 19
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
      place += 1
      while place < bytes.count, ASCII.isDigit(bytes[place]) { place += 1 }
    }
    var offset = 0
    if place < bytes.count, bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-") {
      guard let hours = number(place + 1, 2), let minutes = number(place + 4, 2) else { return nil }
      offset = (hours * 60 + minutes) * (bytes[place] == UInt8(ascii: "+") ? 60 : -60)
    }
    let civil = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    self = Timestamp(civil) - Int64(offset)
  }
}
