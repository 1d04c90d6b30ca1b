/// Tells a document that ends in the middle from one that is merely written badly: a cut gzip stream, or a server that
/// gave up in mid-sentence, may end the response itself quite properly. Only worth asking of those that are not
/// well-formed.
enum DocumentEnd {
  /// True when no end tag of a feed's root element is to be found, or a JSON document leaves a bracket open.
  static func isMissing(in body: [UInt8]) -> Bool {
    if let depth = depthOfJSON(body) { return depth > 0 }
    guard isXML(body) else { return false }
    return lastTag(in: body) { name, isEnd in isEnd && ["rss", "feed", "rdf"].contains(name) } == nil
  }

  /// True when the last item begins and does not end.
  static func cutsItem(in body: [UInt8]) -> Bool {
    // The document, its list of items, an item.
    if let depth = depthOfJSON(body) { return depth > 2 }
    guard isXML(body) else { return true }
    return lastTag(in: body) { name, _ in name == "item" || name == "entry" } == false
  }

  /// How many brackets are open at the end; nil: this is no JSON.
  private static func depthOfJSON(_ body: [UInt8]) -> Int? {
    guard body.first(where: { $0 > 0x20 && $0 < 0x80 }) == 0x7B, !body.prefix(4).contains(0) else {
      return nil
    }
    var depth = 0
    var isInString = false
    var isEscaped = false
    for byte in body {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isInString = false
        }
        continue
      }
      switch byte {
      case 0x22: isInString = true
      case 0x7B, 0x5B: depth += 1
      case 0x7D, 0x5D: depth -= 1
      default: break
      }
    }
    return depth
  }

  /// UTF-16 is left alone: bytes mean something else there.
  private static func isXML(_ body: [UInt8]) -> Bool {
    body.first { $0 > 0x20 && $0 < 0x80 } == 0x3C && !body.prefix(4).contains(0)
  }

  /// The last tag that `isWanted` takes, by its local name in lower case: true for an end tag, nil for none.
  private static func lastTag(
    in body: [UInt8],
    _ isWanted: (_ name: String, _ isEnd: Bool) -> Bool
  ) -> Bool? {
    for index in body.indices.dropLast().reversed() where body[index] == 0x3C {
      let isEnd = body[index + 1] == 0x2F
      let tag = body[(index + (isEnd ? 2 : 1))...].prefix(32)
      var name = tag.prefix { $0 > 0x20 && $0 != 0x3E && $0 != 0x2F }
      if let colon = name.firstIndex(of: 0x3A) { name = name[(colon + 1)...] }
      guard name.count <= 5, isWanted(String(decoding: name, as: UTF8.self).lowercased(), isEnd) else {
        continue
      }
      return isEnd
    }
    return nil
  }
}
