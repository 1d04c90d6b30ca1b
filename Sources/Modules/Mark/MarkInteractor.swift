public import NewsCore

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
