import Foundation
import NewsCore
import TestSupport
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

/// Encodes one list in every format and compares it byte for byte with `Golden/`. Programs depend on these formats:
/// a difference breaks a format unless it only adds data.
///
/// `NEWSD_RECORD_GOLDEN=1 swift test --filter Golden` records the files again.
@Suite struct `Golden output` {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "Golden"
  )

  static let template = #"""
    {id|right:3} {published|date:%F %R|default:undated} {title|truncate:24|left:24}|\
    {?tags}tags={tags|join:, }{:}untagged{/}{!url} no link{/} {title|shell} {title|json} {title|html} {title|csv}
    """#.replacingOccurrences(of: "\\\n", with: "")

  static let cases: [(name: String, format: OutputFormat, fields: [String]?, width: Int?)] = [
    ("list.txt", .text, nil, nil),
    ("list-80.txt", .text, nil, 80),
    ("list-40.txt", .text, nil, 40),
    ("items.tsv", .tsv, nil, nil),
    ("items-all.tsv", .tsv, ItemColumn.all.map(\.name), nil),
    ("items.csv", .csv, nil, nil),
    ("items-all.csv", .csv, ItemColumn.all.map(\.name), nil),
    ("items.json", .json, nil, nil),
    ("items.jsonl", .jsonl, nil, nil),
    ("items.ids", .ids, nil, nil),
    ("items.sfeed", .sfeed, nil, nil),
    ("items.atom", .atom, nil, nil),
    ("items.rss", .rss, nil, nil),
    ("items.jsonfeed", .jsonfeed, nil, nil),
    ("items.greader.json", .greaderJSON, nil, nil),
    ("items.html", .html, nil, nil),
    ("items.mbox", .mbox, nil, nil),
    ("items.md", .markdown, nil, nil),
    ("items.template", .template, nil, nil),
  ]

  static func render(_ format: OutputFormat, fields: [String]?, width: Int?) throws -> String {
    let output = try ItemOutput(
      format: format,
      fields: fields,
      template: format == .template ? template : nil,
      document: OutputDocument(title: "newsd: search <linux> & more", time: .noon),
      richText: HostileItems.richText,
      terminal: .plain(width: width)
    )
    let items = HostileItems.items.map { ItemMatch(item: $0) }
    let page = PageInfo(number: 1, size: items.count, total: items.count)
    let content = NewsListPresenter(output.needs, times: output.shape.terminal.times).present(items, page)
      .content
    return try rendered(view(output, { NewsListView(terminal: $0) }), #require(content))
  }

  @Test(arguments: cases)
  func `The output of a format equals the recorded one`(
    _ one: (name: String, format: OutputFormat, fields: [String]?, width: Int?)
  ) throws {
    let text = try Self.render(one.format, fields: one.fields, width: one.width)
    let file = Self.folder.appendingPathComponent(one.name)
    if ProcessInfo.processInfo.environment["NEWSD_RECORD_GOLDEN"] != nil {
      try Data(text.utf8).write(to: file)
    }
    let recorded = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    let difference = LineDifference(from: recorded, to: text)
    #expect(difference.isEmpty, "\(one.name) differs from what was recorded:\n\(difference)")
  }

  @Test func `Every format of items except maildir is recorded`() {
    let recorded = Set(Self.cases.map(\.format)).union([.maildir])
    #expect(recorded == Set(OutputFormat.forItems))
  }

  @Test(arguments: cases)
  func `No format outputs control characters, bidirectional controls or line separators`(
    _ one: (name: String, format: OutputFormat, fields: [String]?, width: Int?)
  ) throws {
    let text = try Self.render(one.format, fields: one.fields, width: one.width)
    let strays = text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: false
      case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x202A...0x202E: true
      // Feeds keep the separators: XML gives them no meaning.
      case 0x2028...0x2029: ![.atom, .rss].contains(one.format)
      // In a table, newsd itself isolates each title, with FSI and PDI.
      case 0x2066...0x2067: true
      case 0x2068...0x2069: one.format != .text
      default: false
      }
    }
    #expect(strays.isEmpty, "\(strays.map { String($0.value, radix: 16) })")
    for line in text.unicodeScalars.split(separator: "\n") {
      #expect(line.count { $0.value == 0x2068 } == line.count { $0.value == 0x2069 }, "\(String(line))")
    }
  }
}

/// Reads the recorded output with other programs, if Python is installed.
@Suite struct `Golden output, read by independent programs` {
  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: python != nil), .blocking)
  func `Independent programs read every format`() throws {
    let root = `Golden output`.folder.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.python))
    process.arguments = ["tools/check-formats.py"]
    process.currentDirectoryURL = root
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let report = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(report)")
  }
}
