public import NewsCore

/// Stores the items that another program writes, as they arrive.
public struct IngestInteractor: Interactor {
  private let ingestion: ItemIngestion
  private let input: @Sendable () throws -> [UInt8]?
  private let presenter = IngestPresenter()

  /// `input` returns the next available bytes; nil at the end of input.
  public init(ingestion: ItemIngestion, input: @escaping @Sendable () throws -> [UInt8]?) {
    self.ingestion = ingestion
    self.input = input
  }

  /// Stores items in `feed`, which is an id, URL or full title, or the title of a feed to add.
  public func respond(to feed: String, emit: @escaping Emit<IngestViewModel>) async throws {
    try emit(presenter.present(try await ingestion.run(into: feed, input)))
  }
}
