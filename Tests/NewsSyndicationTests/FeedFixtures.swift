import Foundation
import NewsFormats
import NewsCore
import NewsToolbox
import Testing

@testable import NewsSyndication

/// A document of `Fixtures/feeds` and the expected part of its JSON.
///
/// Members that the expectation omits are not checked, `null` means absent, and lists must have the same length (of
/// `errors`, only the first is compared). `_input` holds the Content-Type and the base URL.
struct FeedFixture: Sendable, CustomTestStringConvertible {
  let name: String
  let document: FeedDocument
  let expected: [UInt8]

  var testDescription: String { name }

  static let all: [FeedFixture] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/feeds")
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.pathExtension != "expected" }.sorted { $0.path < $1.path }.compactMap { file in
      let beside = file.deletingPathExtension().appendingPathExtension("expected")
      guard let bytes = try? Data(contentsOf: file), let expected = try? Data(contentsOf: beside) else {
        return nil
      }
      let input = value([UInt8](expected))?["_input"]
      return FeedFixture(
        name: file.lastPathComponent,
        document: FeedDocument(
          bytes: [UInt8](bytes),
          contentType: input?["content_type"]?.text,
          baseURL: input?["base_url"]?.text
        ),
        expected: [UInt8](expected)
      )
    }
  }()

  static func value(_ bytes: [UInt8]) -> JSONValue? {
    bytes.withUnsafeBufferPointer {
      var reader = JSONReader($0)
      return reader.read()
    }
  }

  /// Returns the paths at which `actual` differs from `expected`.
  static func differences(_ expected: JSONValue, _ actual: JSONValue?, at path: String = "") -> [String] {
    switch (expected, actual) {
    case (.null, nil), (.null, .null?): return []
    case (.object(let members, _), .object?):
      return members.filter { $0.name != "_input" }.flatMap {
        differences($0.value, actual?[$0.name], at: path + "." + $0.name)
      }
    case (.array(let wanted), .array(let found)?):
      if path.hasSuffix(".errors") {
        return wanted.first.map { differences($0, found.first, at: path + "[0]") } ?? []
      }
      guard wanted.count == found.count else {
        return ["\(path): \(wanted.count) elements, not \(found.count)"]
      }
      return zip(wanted, found).enumerated().flatMap { differences($1.0, $1.1, at: "\(path)[\($0)]") }
    case (.string(let wanted), .string(let found)?) where wanted == found: return []
    case (.bool(let wanted), .bool(let found)?) where wanted == found: return []
    case (.number(let wanted), .number(let found)?) where Double(wanted) == Double(found): return []
    default: return ["\(path): \(expected), not \(actual.map { "\($0)" } ?? "absent")"]
    }
  }
}

@Suite struct `Feed fixtures` {
  @Test func `More than 80 feed fixtures are loaded`() {
    #expect(FeedFixture.all.count > 80)
  }

  @Test(arguments: FeedFixture.all)
  func `A document gives the expected feed`(_ fixture: FeedFixture) throws {
    let items = Collected()
    var feed = try FeedParser().parse(fixture.document) { items.list.append($0) }
    feed.items = items.list
    let printed = ParsedFeedJSON.bytes(feed)
    let expected = try #require(FeedFixture.value(fixture.expected))
    #expect(FeedFixture.differences(expected, FeedFixture.value(printed)) == [])
  }

  @Test(arguments: FeedFixture.all)
  func `A document parsed item by item gives the same feed`(_ fixture: FeedFixture) throws {
    let whole = try FeedParser().parse(fixture.document)
    let items = Collected()
    var streamed = try FeedParser().parse(fixture.document) { items.list.append($0) }
    #expect(items.list.count == whole.items.count)
    for (item, other) in zip(items.list, whole.items) {
      var item = item
      // Streaming may omit text that the HTML already contains.
      if item.contentHTML != nil, item.contentText == nil { item.contentText = other.contentText }
      #expect(item == other)
    }
    streamed.items = whole.items
    #expect(streamed == whole)
  }

  @Test(arguments: FeedFixture.all)
  func `A document truncated anywhere is read or refused`(_ fixture: FeedFixture) {
    let bytes = fixture.document.bytes
    for end in stride(from: 0, to: bytes.count, by: 7) {
      let cut = FeedDocument(bytes: Array(bytes[..<end]), contentType: fixture.document.contentType)
      let feed = try? FeedParser().parse(cut)
      #expect((feed?.items.count ?? 0) <= 30)
    }
  }
}

/// Collects streamed items; used on one thread.
private final class Collected {
  var list: [ParsedItem] = []
}
