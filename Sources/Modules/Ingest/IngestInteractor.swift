public import NewsCore

/// Takes in items that another program writes, as they come.
public struct IngestInteractor: Interactor {
  private let ingestion: ItemIngestion
  private let input: @Sendable () throws -> [UInt8]?
  private let presenter = IngestPresenter()

  /// - Parameters:
  ///   - ingestion: The use case.
  ///   - input: The next bytes, as soon as some are there; nil at the end.
  public init(ingestion: ItemIngestion, input: @escaping @Sendable () throws -> [UInt8]?) {
    self.ingestion = ingestion
    self.input = input
  }

  /// Takes items into the feed of that id, URL or whole title.
  public func run(_ feed: String, emit: @escaping Emit<IngestViewModel>) async throws {
    try await presenter.emittingFailures(to: emit) {
      try emit(presenter.present(try await ingestion.run(into: feed, input)))
    }
  }
}
