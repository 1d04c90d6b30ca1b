public import NewsService

/// Changes marks of items: read, unread, starred, unstarred.
///
/// Assembled as `MarkInteractor(marking: store, presenter: MarkPresenter())` with a `MarkView`.
public struct MarkInteractor: Sendable {
  private let marking: any ItemMarking
  private let presenter: MarkPresenter

  public init(marking: any ItemMarking, presenter: MarkPresenter = MarkPresenter()) {
    self.marking = marking
    self.presenter = presenter
  }

  /// Marks all that exist; ids without an item make the run end with an error that names them.
  ///
  /// - Throws: What `emit` throws.
  public func run(_ ids: [NewsItem.ID], _ mark: ItemMark, emit: Emit<MarkViewModel>) async throws {
    do {
      let missing = try await marking.mark(ids, mark)
      try emit(presenter.present(mark, count: ids.count - missing.count, missing: missing))
    } catch let error as StoreError {
      try emit(.failed(UserMessage(error)))
    }
  }
}

/// What marking did, in words.
public struct MarkViewModel: ScreenContent {
  public var text: DisplayText
  public var rowCount: Int
}

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

/// One line. Commands that change something are quiet unless asked: the caller decides whether to show it.
public struct MarkView: ContentView {
  private let terminal: Terminal

  public init(terminal: Terminal) {
    self.terminal = terminal
  }

  public func render(_ content: MarkViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    buffer.paint(content.text, on: terminal)
    buffer.newLine()
  }
}
