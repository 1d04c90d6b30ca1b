import NewsToolbox
public import NewsCore

/// Stores the items that another program writes, as they arrive.
public struct IngestInteractor: Interactor {
  private let ingestion: ItemIngestion
  private let input: @Sendable () throws -> [UInt8]?

  /// `input` returns the next available bytes; nil at the end of input.
  public init(ingestion: ItemIngestion, input: @escaping @Sendable () throws -> [UInt8]?) {
    self.ingestion = ingestion
    self.input = input
  }

  /// Stores items in `feed`, which is an id, URL or full title, or the title of a feed to add.
  public func respond(to feed: String, emit: @escaping Emit<Outcome>) async throws {
    try emit(IngestPresenter().present(try await ingestion.run(into: feed, input)))
  }
}

/// Reports how many items were stored, and which lines could not be read.
struct IngestPresenter {
  func present(_ report: ItemIngestion.Report) -> Container<Outcome> {
    var warnings = report.problems.map { ($0.line > 0 ? "line \($0.line): " : "") + $0.message }
    let more = report.problemCount - report.problems.count
    if more > 0 { warnings.append("and \(more) more that could not be read") }
    let outcome = Outcome(
      ["\(report.inserted) new, \(report.updated) changed, \(report.unchanged) were stored before"],
      warnings: warnings
    )
    if let failure = report.failure { return .failed(UserMessage(failure), keeping: outcome) }
    guard report.problemCount > 0 else { return .ready(outcome) }
    let count = Plural.of(report.problemCount, "entry", "entries")
    return .failed(.badData, "\(count) could not be read", keeping: outcome)
  }
}
