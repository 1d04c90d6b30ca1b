import NewsHTTP
import NewsCore
import NewsToolbox

/// `POST /api/marks`: `{"ids": [1, 2], "state": "read"}`.
struct MarksEndpoint: OwnEndpoint {
  let api: OwnAPI

  func answer(_ request: HTTPRequest) async throws -> HTTPReply {
    guard let value = JSONValue(requestBody: request.body), value.members != nil
    else {
      throw BadRequest("the body is not a JSON object such as {\"ids\": [1, 2], \"state\": \"read\"}")
    }
    guard let mark = value["state"]?.string.flatMap({ ItemMark(rawValue: $0) }) else {
      throw BadRequest("state takes read, unread, starred or unstarred")
    }
    guard let list = value["ids"]?.array else { throw BadRequest("ids is not an array of numbers") }
    let ids = list.compactMap(\.integer).map(NewsItem.ID.init(rawValue:))
    guard ids.count == list.count else { throw BadRequest("ids is not an array of numbers") }
    let outcome = try await api.store.apply(mark, to: ids)
    let missing = Set(outcome.missing)
    return SyncReply.object { json in
      json.field("marked", ids.count { !missing.contains($0) })
      json.array("missing", missing.sorted()) { json, id in json.value(id.rawValue) }
      json.array("changed", outcome.changed) { json, id in json.value(id.rawValue) }
    }
  }
}

/// `POST /api/ingest?feed=NAME`: stores items as `newsd ingest` does.
struct IngestEndpoint: OwnEndpoint {
  let api: OwnAPI

  func answer(_ request: HTTPRequest) async throws -> HTTPReply {
    guard let feed = request.query.first("feed"), !feed.isEmpty else {
      throw BadRequest("feed is missing: name the feed that the items belong to")
    }
    var body: [UInt8]? = request.body
    let report = try await api.ingestion.run(into: feed) {
      defer { body = nil }
      return body
    }
    if let failure = report.failure { throw failure }
    let isUseless = report.problemCount > 0 && report.inserted + report.updated + report.unchanged == 0
    return SyncReply.object(isUseless ? 422 : 200) { json in
      json.field("inserted", report.inserted)
      json.field("updated", report.updated)
      json.field("known", report.unchanged)
      json.field("problem_count", report.problemCount)
      json.objects("problems", report.problems, writesEmpty: true) { json, problem in
        json.field("line", problem.line)
        json.field("message", problem.message)
      }
    }
  }
}
