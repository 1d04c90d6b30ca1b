import NewsSearch
public import NewsCore
import NewsToolbox

/// Gives items a label, or takes it from them.
public struct LabelInteractor: Interactor {
  private let marking: any ItemMarking
  private let news: any ItemReading
  private let feeds: any FeedKeeping
  private let filters: FilterResolver
  private let presenter = MarkPresenter()

  /// Maximum number of items per transaction.
  private static let portion = 1000

  public init(
    marking: any ItemMarking,
    news: any ItemReading,
    feeds: any FeedKeeping,
    filters: FilterResolver
  ) {
    self.marking = marking
    self.news = news
    self.feeds = feeds
    self.filters = filters
  }

  /// Changes the label of the items. If some ids match no item, changes the others and then fails with an error that
  /// lists the missing ids. Of a filter's items, changes and counts only items whose labels change.
  public func respond(to request: LabelRequest, emit: @escaping Emit<MarkViewModel>) async throws {
    let label = try await name(request)
    let (ids, isSelection) = try await items(request, label)
    let edit =
      request.isAdded ? StreamEdit(addedLabels: [label]) : StreamEdit(removedLabels: [label])
    var missing: [NewsItem.ID] = []
    for start in stride(from: 0, to: ids.count, by: Self.portion) {
      missing += try await marking.edit(Array(ids[start..<min(start + Self.portion, ids.count)]), edit)
    }
    let gone = Set(missing)
    let changed = gone.isEmpty ? ids : ids.filter { !gone.contains($0) }
    let count = Plural.of(changed.count, "item")
    let text =
      request.isAdded ? "\(count) labelled '\(label)'" : "label '\(label)' removed from \(count)"
    // Ignore items removed since they were selected.
    try emit(presenter.present(text, changed, missing: isSelection ? [] : missing))
  }

  /// Returns the label as items have it already, so that two labels do not differ only in the case of letters.
  private func name(_ request: LabelRequest) async throws -> String {
    let typed = DisplayText(line: request.label).trimmed.string
    // Other names can be removed: earlier versions imported them.
    if request.isAdded { try ItemLabel.check(typed) }
    let known = try await news.labelNames()
    if known.contains(typed) { return typed }
    let folded = typed.lowercased()
    if let label = known.first(where: { $0.lowercased() == folded }) { return label }
    if request.isAdded, try await feeds.feeds().contains(where: { $0.folder == typed }) {
      throw UserMessage(
        code: .usage,
        text: "'\(typed)' is a folder; apps cannot distinguish it from a label of the same name"
      )
    }
    return typed
  }

  private func items(_ request: LabelRequest, _ label: String) async throws -> (
    ids: [NewsItem.ID], isSelection: Bool
  ) {
    let changes: Query = request.isAdded ? .not(.label(label)) : .label(label)
    switch request.items {
    case .ids(let ids): return (ids, false)
    case .selected(let filter): return (try await news.ids(of: filters.query(filter, and: changes)), true)
    case .found(let search):
      return (try await news.ids(of: .and([filters.search(search).query, changes])), true)
    }
  }
}

/// The items whose label changes.
public struct LabelRequest: Hashable, Sendable {
  public var items: MarkRoute.Items
  /// The label as typed.
  public var label: String
  /// False: the label is removed.
  public var isAdded: Bool

  public init(_ items: MarkRoute.Items, label: String, isAdded: Bool) {
    self.items = items
    self.label = label
    self.isAdded = isAdded
  }

  public init(_ ids: [NewsItem.ID], label: String, isAdded: Bool) {
    self.init(.ids(ids), label: label, isAdded: isAdded)
  }
}

/// Lists the labels with their numbers of unread items.
public struct LabelListInteractor: Interactor {
  private let news: any ItemReading

  public init(news: any ItemReading) { self.news = news }

  public func respond(to request: Void, emit: @escaping Emit<RecordList<ItemLabel>>) async throws {
    let labels = try await news.itemLabels()
    try emit(
      .list(
        labels.map { RecordLine($0, columns: [$0.name, "\($0.unread) unread"]) },
        nothing: "no labels yet: 'newsd label add LABEL ID' adds one"
      )
    )
  }
}
