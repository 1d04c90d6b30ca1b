import TestServer
import TestSupport
import Testing

/// Truncated documents, in responses that may themselves be complete.
@Suite(.blocking) struct `On the wire: truncated documents` {
  let wire: Wire
  static let whole = Sample.rss(["Three", "Two", "One"])
  /// A document truncated within its last item.
  static let cut = String(whole.prefix(whole.utf8.count - 150))

  init() throws {
    wire = try Wire()
  }

  private static func forms() -> [Reply] {
    let tag = [("ETag", "\"2\"")]
    // A truncated gzip stream with a correct Content-Length.
    let packed = Array(Gzip.stored(Array(whole.utf8)).dropLast(160))
    return [
      .ok(cut, headers: tag),
      .chunked(cut, size: 100, headers: tag),
      .raw(Reply.head(200, tag + [("Connection", "close")]) + Array(cut.utf8)),
      .short(cut, announced: whole.utf8.count, headers: tag),
      .ok(packed, headers: tag + [("Content-Encoding", "gzip")]),
    ]
  }

  @Test(arguments: 0..<5) func `Complete items are stored, and the document is fetched again unconditionally`(
    _ form: Int
  ) throws {
    try wire.add(
      "/feed",
      .ok(Sample.rss(["One"]), headers: [("ETag", "\"1\"")]),
      Self.forms()[form],
      .ok(Self.whole)
    )
    #expect(try wire.run("fetch").status == 0)
    #expect(try wire.titles() == ["One", "Three", "Two"])
    try wire.run("fetch")
    #expect(wire.server.requests(to: "/feed").map { $0.header("If-None-Match") } == [nil, "\"1\"", nil])
    #expect(try wire.titles() == ["One", "Three", "Two"])
  }

  @Test(arguments: 0..<5)
  func `A document that was truncated when its feed was added is fetched again unconditionally`(
    _ form: Int
  ) throws {
    try wire.add("/feed", Self.forms()[form], .ok(Self.whole))
    #expect(try wire.titles() == ["Three", "Two"])
    try wire.run("fetch")
    #expect(wire.server.requests(to: "/feed").last?.header("If-None-Match") == nil)
    #expect(try wire.titles() == ["One", "Three", "Two"])
  }

  @Test func `A truncated JSON document is fetched again unconditionally`() throws {
    let items = (1...4).map { #"{"id":"\#($0)","content_text":"braces } ] in text","title":"T\#($0)"}"# }
    let whole =
      #"{"version":"https://jsonfeed.org/version/1.1","title":"J","items":["# + items.joined(separator: ",")
      + "]}"
    let json = ("Content-Type", "application/feed+json")
    try wire.add(
      "/feed",
      .ok(String(whole.dropLast(30)), headers: [json, ("ETag", "\"1\"")]),
      .ok(whole, headers: [json])
    )
    #expect(try wire.titles() == ["T1", "T2", "T3"])
    try wire.run("fetch")
    #expect(wire.server.requests(to: "/feed").map { $0.header("If-None-Match") } == [nil, nil])
    #expect(try wire.titles() == ["T1", "T2", "T3", "T4"])
  }

  @Test func `A document without its end tags is read in full`() throws {
    let open = Self.whole.replacing("</channel></rss>", with: "")
    try wire.add("/feed", .ok(open))
    #expect(try wire.titles() == ["One", "Three", "Two"])
  }
}
