import NewsToolbox
public import NewsCore

/// Imports exports of newsd and the files of other readers.
public struct ImportInteractor: Interactor {
  private let items: ItemImport
  private let open: @Sendable (String) throws(FileError) -> any LineReading

  /// `open` opens a file; `-` is standard input.
  public init(items: ItemImport, open: @escaping @Sendable (String) throws(FileError) -> any LineReading) {
    self.items = items
    self.open = open
  }

  /// Imports the file at `path`; `-` is standard input. Items of an sfeed file belong to `feed`; nil: it is named
  /// after the file. `isTrusted`: the file is an export of the user's own store.
  public func respond(
    to request: (path: String, feed: String?, isTrusted: Bool),
    emit: @escaping Emit<Outcome>
  ) async throws {
    try emit(.loading(Progress("importing")))
    let report = try await items.run(
      try open(request.path),
      path: request.path,
      feed: request.feed,
      isTrusted: request.isTrusted
    ) { try? emit(.loading(Progress("importing", done: $0, unit: "entries"))) }
    try emit(ImportPresenter().present(report))
  }
}

/// Reports the items that an import added and skipped.
struct ImportPresenter {
  /// Maximum number of feeds that are named because of one cause.
  private static let mostNotes = 100

  func present(_ report: ItemImport.Report) -> Container<Outcome> {
    guard !report.isEmpty else { return .outcome("nothing new") }
    let counts = report.counts
    var notes = report.skipped.prefix(Self.mostNotes).map {
      "\(WebAddress.redacted($0)): not imported: its URL is not http or https, or too long"
    }
    if report.skipped.count > Self.mostNotes {
      notes.append(
        "\(report.skipped.count - Self.mostNotes) more not imported: their URLs are not http or https, or too long"
      )
    }
    if report.withoutFeed > 0 {
      notes.append("\(Plural.of(report.withoutFeed, "item")) not imported: the file does not name their feed")
    }
    notes += counts.untrusted.map {
      "\(WebAddress.redacted($0)): imported, but newsd will not read this file or program; "
        + "'newsd import --trust' allows it"
    }
    notes += counts.stripped.map {
      "\(WebAddress.redacted($0)): its credentials, headers, user agent, certificates, proxy or limits were not imported; "
        + "'newsd import --trust' would keep them"
    }
    notes += leftOut(counts.rulesLeftOut, "rule")
    notes += leftOut(counts.deliveriesLeftOut, "pending delivery", "pending deliveries")
    notes.append(
      "\(Plural.of(counts.feeds, "feed")), \(Plural.of(counts.items, "item")); \(counts.unchanged) were stored before"
    )
    return .ready(Outcome(notes))
  }

  private func leftOut(_ count: Int, _ one: String, _ many: String? = nil) -> [String] {
    guard count > 0 else { return [] }
    let what = count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
    return ["\(what) not imported; 'newsd import --trust' would keep \(count == 1 ? "it" : "them")"]
  }
}
