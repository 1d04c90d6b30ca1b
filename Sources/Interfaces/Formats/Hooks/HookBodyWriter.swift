public import Modules
public import NewsCore
import NewsText
import NewsToolbox

/// Writes the bodies of deliveries: items as in JSON Lines, events as JSON, a template, or mail.
public struct HookBodyWriter: HookRendering {
  private let zone: Zone
  private let clock: any WallClock
  private let richText: (any RichTextRendering)?
  /// Made once: to find the columns takes longer than to write an item.
  private let jsonLines: Result<ItemOutput, UserMessage>

  /// Without `richText`, mail contains plain text.
  public init(zone: Zone, clock: any WallClock, richText: (any RichTextRendering)?) {
    self.zone = zone
    self.clock = clock
    self.richText = richText
    let shape = OutputShape(
      format: .jsonl,
      terminal: Terminal(zone: zone, showsAges: false, now: clock.now())
    )
    jsonLines = Result { () throws(UserMessage) in try ItemOutput(shape) }
  }

  /// The problem in a template; nil if it is valid.
  public static func problem(inTemplate text: String) -> String? {
    do throws(UserMessage) {
      _ = try Template(text, of: Tables.items)
      return nil
    } catch {
      return error.text
    }
  }

  public func body(
    of contents: [HookContent],
    for hook: Hook,
    key: String,
    isDigest: Bool
  ) throws -> HookBody {
    if case .mail(let address) = hook.target {
      let mail = HookMail(address: address, hook: hook.name, key: key, time: clock.now())
      let text = try hook.template.map { try templated(contents, $0) }
      let composer = MailComposer(richText: richText)
      let bytes = Array(mail.message(contents, text: text, composer).utf8)
      return HookBody(bytes: bytes, contentType: "message/rfc822")
    }
    if hook.hasNoBody, case .url(let template) = hook.target {
      return HookBody(bytes: [], contentType: "", url: try templated(contents, template))
    }
    if let template = hook.template {
      let bytes = Array(try templated(contents, template).utf8)
      let next = try hook.next.map { try templated(contents, $0.template) } ?? ""
      return HookBody(bytes: bytes, contentType: HookBody.type(of: bytes), next: Array(next.utf8))
    }
    return HookBody(bytes: try json(contents, isList: isDigest), contentType: "application/json")
  }

  // MARK: Templates

  private func templated(_ contents: [HookContent], _ template: String) throws -> String {
    let output = try ItemOutput(
      OutputShape(format: .template, template: template, terminal: terminal),
      richText: richText
    )
    var bytes: [UInt8] = []
    for content in contents { bytes += try output.line(of: content.asItem) }
    // Remove the last line end: line ends only separate records.
    if bytes.last == UInt8(ascii: "\n"), template.utf8.last != UInt8(ascii: "\n"), !template.endsInNewline {
      bytes.removeLast()
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private var terminal: Terminal { Terminal(zone: zone, showsAges: false, now: clock.now()) }

  // MARK: JSON

  private func json(_ contents: [HookContent], isList: Bool) throws -> [UInt8] {
    let output = try jsonLines.get()
    var bytes: [UInt8] = []
    if isList { bytes.append(UInt8(ascii: "[")) }
    for (index, content) in contents.enumerated() {
      if index > 0 { bytes += Array(",\n".utf8) }
      switch content {
      case .item(let item):
        var line = try output.line(of: item)
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        bytes += line
      case .notice(let entry, let notice): bytes += Self.json(entry, notice)
      }
    }
    if isList { bytes.append(UInt8(ascii: "]")) }
    return bytes + [UInt8(ascii: "\n")]
  }

  private static func json(_ entry: HookEntry, _ notice: HookNotice) -> [UInt8] {
    var json = JSONWriter(reservingCapacity: 512)
    json.beginObject()
    json.field("schema", 1)
    json.field("event", entry.event.rawValue)
    json.field("time", entry.time.rfc3339)
    json.field("message", notice.message)
    json.field("feed_id", notice.feedID?.rawValue)
    json.field("feed", notice.feedTitle)
    json.field("feed_url", notice.feedURL)
    json.endObject()
    return json.takeBytes()
  }
}

extension String {
  /// True for a template whose last escape is a line break.
  fileprivate var endsInNewline: Bool { utf8.suffix(2).elementsEqual("\\n".utf8) }
}

extension HookContent {
  /// The item, or the event in the form of an item, for templates.
  fileprivate var asItem: NewsItem {
    switch self {
    case .item(let item): item
    case .notice(let entry, let notice):
      NewsItem(
        id: NewsItem.ID(rawValue: 0),
        feedID: notice.feedID ?? Feed.ID(rawValue: 0),
        feedTitle: notice.feedTitle ?? "newsd",
        feedURL: notice.feedURL ?? "",
        guid: "\(entry.event.rawValue)-\(entry.sequence)",
        title: notice.message,
        url: notice.feedURL,
        stored: entry.time,
        contentText: notice.message,
        sequence: entry.sequence
      )
    }
  }
}
