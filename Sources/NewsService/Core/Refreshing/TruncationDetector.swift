/// Tells truncated documents from merely ill-formed documents. A truncated gzip stream, or a server that
/// aborts its output, may still end the HTTP response correctly. Meaningful only for documents that are not
/// well-formed.
enum TruncationDetector {
  /// True when an XML feed lacks the root's end tag, or a JSON document leaves a bracket open.
  static func isMissing(in body: [UInt8]) -> Bool {
    if let depth = depthOfJSON(body) { return depth > 0 }
    guard isXML(body) else { return false }
    return lastTag(in: body) { name, isEnd in isEnd && ["rss", "feed", "rdf"].contains(name) } == nil
  }

  /// True when the last item starts but does not end.
  static func cutsItem(in body: [UInt8]) -> Bool {
    // Depth 1 is the document, 2 its list of items, 3 an item.
    if let depth = depthOfJSON(body) { return depth > 2 }
    guard isXML(body) else { return true }
    return lastTag(in: body) { name, _ in name == "item" || name == "entry" } == false
  }

  /// Returns the number of brackets that are open at the end; nil: the document is not JSON.
  private static func depthOfJSON(_ body: [UInt8]) -> Int? {
    guard body.first(where: { $0 > UInt8(ascii: " ") && $0 < 0x80 }) == UInt8(ascii: "{"),
      !body.prefix(4).contains(0)
    else {
      return nil
    }
    var depth = 0
    var isInString = false
    var isEscaped = false
    for byte in body {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return depth
  }

  /// True for XML in an ASCII-compatible encoding. False for UTF-16, because this parser compares single bytes.
  private static func isXML(_ body: [UInt8]) -> Bool {
    body.first { $0 > UInt8(ascii: " ") && $0 < 0x80 } == UInt8(ascii: "<") && !body.prefix(4).contains(0)
  }

  /// Finds the last tag whose local name, in lower case, satisfies `isWanted`. True: it is an end tag; nil: there is no
  /// such tag.
  private static func lastTag(
    in body: [UInt8],
    _ isWanted: (_ name: String, _ isEnd: Bool) -> Bool
  ) -> Bool? {
    for index in body.indices.dropLast().reversed() where body[index] == UInt8(ascii: "<") {
      let isEnd = body[index + 1] == UInt8(ascii: "/")
      let tag = body[(index + (isEnd ? 2 : 1))...].prefix(32)
      var name = tag.prefix { $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
      if let colon = name.firstIndex(of: UInt8(ascii: ":")) { name = name[(colon + 1)...] }
      guard name.count <= 5, isWanted(String(decoding: name, as: UTF8.self).lowercased(), isEnd) else {
        continue
      }
      return isEnd
    }
    return nil
  }
}

extension FeedParsing {
  /// Parses the feed in a response and detects whether its document is truncated although the response is
  /// complete. A truncated item is dropped. A truncated feed has at least one item: a document that ends
  /// before its first item is complete is an error.
  func parse(
    _ response: FetchResponse,
    encoding: String?
  ) throws(FeedParseError) -> (feed: ParsedFeed, isTruncated: Bool) {
    let document = FeedDocument(
      bytes: response.body,
      contentType: response.header("Content-Type"),
      baseURL: response.url,
      encoding: encoding
    )
    var feed = try parse(document)
    let isTruncated =
      !response.isTruncated && !feed.isWellFormed && TruncationDetector.isMissing(in: response.body)
    guard response.isTruncated || isTruncated else { return (feed, false) }
    if !feed.isWellFormed, !feed.items.isEmpty, TruncationDetector.cutsItem(in: response.body) {
      feed.items.removeLast()
    }
    guard !feed.items.isEmpty else {
      throw FeedParseError(
        code: .notAFeed,
        message: "\(WebAddress.redacted(response.url)) ended before its first item was complete"
      )
    }
    return (feed, isTruncated)
  }
}
