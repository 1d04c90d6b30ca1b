import NewsHTTP
import NewsCore
import NewsToolbox

/// Icons and enclosures in the form of Miniflux's API.
struct MinifluxMedia {
  /// An enclosure's number in the API is that of its item, followed by its number within the item.
  private static let enclosuresPerItem: Int64 = 1000

  let streams: SyncStreams

  // MARK: Icons

  func icon(_ id: Int64) async throws -> HTTPReply {
    guard let picture = try await streams.icons.picture(id: id) else { throw BadRequest.notFound }
    return SyncReply.object { json in
      json.field("id", id)
      json.field("mime_type", picture.reference.type.rawValue)
      json.field("data", picture.base64)
    }
  }

  func icon(ofFeed id: Int64) async throws -> HTTPReply {
    let feed = Feed.ID(rawValue: id)
    guard let found = await streams.icons.found([feed])[feed] else { throw BadRequest.notFound }
    return try await icon(found.id)
  }

  // MARK: Enclosures

  static func writeEnclosures(of stream: StreamItem, _ json: inout JSONWriter) {
    json.beginArray()
    for state in enclosures(of: stream) {
      json.beginObject()
      writeMembers(state, of: stream.item.id, &json)
      json.endObject()
    }
    json.endArray()
  }

  /// The enclosures of an item, and then the pictures that its feed has outside the text. The store does not number these:
  /// they have the last numbers by their places in the feed, which stay when the text begins or ceases to show one of them.
  private static func enclosures(of stream: StreamItem) -> [EnclosureState] {
    var states = stream.enclosures.filter { $0.number < enclosuresPerItem }
    let pictures = ItemMarkup.unattachedPictures(stream.item)
    guard !pictures.isEmpty else { return states }
    let numbers = Set(states.map(\.number))
    let addresses = [stream.item.image ?? ""] + (stream.item.media?.pictures.map(\.url) ?? [])
    for picture in pictures {
      guard let place = addresses.firstIndex(of: picture.url) else { continue }
      let number = enclosuresPerItem - 1 - Int64(place)
      guard !numbers.contains(number) else { continue }
      let enclosure = Enclosure(url: picture.url, mimeType: ItemMarkup.pictureType)
      states.append(EnclosureState(enclosure, number: number))
    }
    return states
  }

  private static func writeMembers(_ state: EnclosureState, of item: NewsItem.ID, _ json: inout JSONWriter) {
    json.field("id", item.rawValue &* enclosuresPerItem &+ state.number)
    json.field("user_id", 1)
    json.field("entry_id", item.rawValue)
    json.field("url", state.enclosure.url)
    json.field("mime_type", state.enclosure.mimeType ?? "application/octet-stream")
    json.field("size", state.enclosure.size ?? 0)
    json.field("media_progression", state.position)
  }

  func enclosure(_ id: Int64) async throws -> HTTPReply {
    let (item, number) = id.quotientAndRemainder(dividingBy: Self.enclosuresPerItem)
    let found = try await streams.store.streamItems([NewsItem.ID(rawValue: item)]).first
    guard let state = found.map(Self.enclosures(of:))?.first(where: { $0.number == number }) else {
      throw BadRequest.notFound
    }
    return SyncReply.object { json in
      Self.writeMembers(state, of: NewsItem.ID(rawValue: item), &json)
      // Not in the answers that clients decode with strict types: only libraries ask for one enclosure.
      json.field("played", state.isPlayed)
    }
  }

  /// Stores how far an enclosure has been played: `media_progression` in seconds, and newsd's own `played`.
  func changeEnclosure(_ id: Int64, _ change: JSONValue) async throws {
    let position = change["media_progression"]?.integer
    let isPlayed = change["played"]?.bool
    guard position != nil || isPlayed != nil, (0...Int64(Int32.max)).contains(position ?? 0) else {
      throw BadRequest("media_progression takes a number of seconds")
    }
    let (item, number) = id.quotientAndRemainder(dividingBy: Self.enclosuresPerItem)
    try await streams.store.changeEnclosure(
      number,
      of: NewsItem.ID(rawValue: item),
      position: position,
      isPlayed: isPlayed,
      at: streams.clock.now()
    )
  }
}
