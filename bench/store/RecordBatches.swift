import NewsCore
import NewsSQLite
import NewsStoresShared

/// Groups items into refresh records as feeds deliver them: 100 feeds in turn, 50 items each.
func records(_ items: ArraySlice<(id: Int64, feed: Int64, item: ParsedItem)>, at time: Int64)
  -> [RefreshRecord]
{
  var records: [RefreshRecord] = []
  var rest = items
  while let feed = rest.first?.feed {
    let own = rest.prefix { $0.feed == feed }
    rest = rest.dropFirst(own.count)
    var parsed = ParsedFeed(format: "rss20")
    parsed.title = "Feed \(feed)"
    parsed.items = own.reversed().map(\.item)
    records.append(
      RefreshRecord(
        feedID: Feed.ID(rawValue: feed),
        state: FetchState.unfetched,
        parsed: parsed,
        time: Timestamp(seconds: time)
      )
    )
  }
  return records
}

func makeStore(_ path: String) async throws -> NewsStore {
  let store = try NewsStore(path: path)
  _ = try await store.add(
    (1...100).map { NewFeed(url: "https://feed\($0).example/rss") },
    at: Timestamp(seconds: 0)
  )
  return store
}

/// Items per transaction: about as many as a refresh of many feeds stores at once (12 MiB of documents, about 6 kB per
/// item).
let batch = 2000
let firstTime: Int64 = 1_600_000_000

func generate(
  _ count: Int,
  _ generator: Generator,
  _ consume: ([(id: Int64, feed: Int64, item: ParsedItem)], Int64) async throws -> Void
) async throws {
  var generator = generator
  var number = 0
  while number < count {
    var items: [(id: Int64, feed: Int64, item: ParsedItem)] = []
    for place in 0..<min(batch, count - number) {
      let feed = Int64((number + place) / 50 % 100 + 1)
      let time = firstTime + Int64(number + place) * 97
      items.append((Int64(number + place + 1), feed, generator.item(number + place, published: time)))
    }
    number += items.count
    try await consume(items, firstTime + Int64(number) * 97)
  }
}
