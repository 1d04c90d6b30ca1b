import NewsCore

/// What marking did, in words.
public struct MarkViewModel: ScreenContent {
  public var text: DisplayText
  public var rowCount: Int
}

/// Says what marking did, and for which ids there is no item.
public struct MarkPresenter: Sendable {
  public init() {}

  func present(_ mark: ItemMark, count: Int, missing: [NewsItem.ID]) -> Container<MarkViewModel> {
    let text = "\(count) item\(count == 1 ? "" : "s") marked \(mark.rawValue)"
    // No ids at all are no failure: `newsd list … --format ids | newsd mark read -` may have nothing to do.
    let content = MarkViewModel(text: DisplayText(line: text), rowCount: max(count, missing.isEmpty ? 1 : 0))
    guard let first = missing.first else { return .ready(content) }
    let names = missing.prefix(5).map { String($0.rawValue) }.joined(separator: ", ")
    let rest = missing.count > 5 ? " and \(missing.count - 5) more" : ""
    let subject = missing.count == 1 ? "No item \(first.rawValue)" : "No items \(names)\(rest)"
    return .failed(UserMessage(code: .notFound, text: "\(subject) in the store; \(text)."), keeping: content)
  }
}
