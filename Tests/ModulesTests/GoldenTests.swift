import Foundation
import NewsCore
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
    ("items-all.tsv", .tsv, ItemField.jsonColumns.map(\.rawValue), nil),
    ("items.csv", .csv, nil, nil),
    ("items-all.csv", .csv, ItemField.jsonColumns.map(\.rawValue), nil),
    ("items.json", .json, nil, nil),
    ("items.jsonl", .jsonl, nil, nil),
    ("items.ids", .ids, nil, nil),
    ("items.sfeed", .sfeed, nil, nil),
    ("items.atom", .atom, nil, nil),
    ("items.rss", .rss, nil, nil),
    ("items.jsonfeed", .jsonfeed, nil, nil),
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
    let content = NewsListPresenter(output.needs, times: output.terminal.times).present(.page(items, page))
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
    // Compare bytes, because `==` on strings uses canonical equivalence.
    let same = Array(text.utf8) == Array(recorded.utf8)
    #expect(same, "\(one.name) differs from what was recorded")
  }

  @Test func `Every format of items except maildir is recorded`() {
    let recorded = Set(Self.cases.map(\.format)).union([.maildir])
    #expect(recorded == Set(OutputFormat.forItems))
  }

  @Test(arguments: cases)
  func `No format outputs control characters`(
    _ one: (name: String, format: OutputFormat, fields: [String]?, width: Int?)
  ) throws {
    let text = try Self.render(one.format, fields: one.fields, width: one.width)
    let allowed: Set<Unicode.Scalar> = ["\n", "\t", "\r"]
    let strays = text.unicodeScalars.filter { scalar in
      (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)) && !allowed.contains(scalar)
    }
    #expect(strays.isEmpty)
  }
}

/// Reads the recorded output with other programs, if Python is installed.
@Suite struct `Golden output, read by independent programs` {
  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: python != nil))
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
