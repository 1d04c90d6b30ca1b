import NewsCore
import NewsToolbox

/// Reports how many items were marked, and which ids match no item.
struct MarkPresenter: Presenting {
  typealias ViewModel = MarkViewModel

  func present(
    _ mark: ItemMark,
    _ ids: [NewsItem.ID],
    missing: [NewsItem.ID]
  ) -> Container<MarkViewModel> {
    let count = ids.count
    let text = "\(Plural.of(count, "item")) marked \(mark.rawValue)"
    guard let first = missing.first else {
      return .ready(MarkViewModel(rowCount: count, notes: [DisplayText(line: text)], ids: ids))
    }
    let names = missing.prefix(5).map { String($0.rawValue) }.joined(separator: ", ")
    let rest = missing.count > 5 ? " and \(missing.count - 5) more" : ""
    let subject = missing.count == 1 ? "No item \(first.rawValue)" : "No items \(names)\(rest)"
    return .failed(
      UserMessage(code: .notFound, text: "\(subject) in the store; \(text)."),
      keeping: MarkViewModel(rowCount: count, notes: [], ids: ids)
    )
  }
}
