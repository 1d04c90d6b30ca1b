public import NewsCore

/// Lists the versions of an item that its feed has edited.
public struct ItemVersionsInteractor: Interactor {
  private let store: any ItemReading

  public init(store: any ItemReading) { self.store = store }

  /// Emits the versions, oldest first; the current one is last. A note says whether older ones are left out.
  public func respond(to id: NewsItem.ID, emit: @escaping Emit<RecordList<VersionRecord>>) async throws {
    let versions = try await store.versions(of: id, newest: ItemVersion.most)
    try emit(ItemVersionsPresenter().list(versions, present: try await store.item(id)))
  }
}

/// One version of an item, as a record.
public struct VersionRecord: Hashable, Sendable {
  public var itemID: NewsItem.ID
  public var number: Int
  /// When an edit replaced this version; nil: it is the current one.
  public var replaced: Timestamp?
  public var title: String
  public var text: String
}

/// Formats the versions of an item as lines.
struct ItemVersionsPresenter {
  func list(_ versions: [ItemVersion], present item: NewsItem) -> Container<RecordList<VersionRecord>> {
    let old = versions.map {
      VersionRecord(itemID: item.id, number: $0.number, replaced: $0.replaced, title: $0.title, text: $0.text)
    }
    let present = VersionRecord(
      itemID: item.id,
      number: (versions.last?.number ?? 0) + 1,
      replaced: nil,
      title: item.title,
      text: item.contentText
    )
    return .list((old + [present]).map(line), notes: versions.first?.number ?? 1 > 1 ? [Self.leftOut] : [])
  }

  private static let leftOut = """
    older versions are left out: newsd keeps the newest \(ItemVersion.most), and shows those with \(ItemVersion.mostBytes >> 20) MiB \
    of text together
    """

  private func line(_ version: VersionRecord) -> RecordLine<VersionRecord> {
    let until = version.replaced.map { "until \($0.rfc3339)" } ?? "now"
    return RecordLine(
      version,
      "\(version.number)  \(until)  \(version.title)",
      note: String(version.text.prefix(400))
    )
  }
}
