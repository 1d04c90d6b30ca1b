public import NewsCore
import NewsToolbox

/// Imports subscriptions and items from the server of another reader.
public struct ImportFromInteractor: Interactor {
  private let items: ServerImport

  public init(items: ServerImport) { self.items = items }

  /// Imports from a server; `source` names it and the account.
  public func respond(
    to request: (server: any ItemServer, source: String),
    emit: @escaping Emit<Outcome>
  ) async throws {
    try emit(.loading(Progress("importing")))
    do {
      let report = try await items.run(request.server, of: request.source) {
        try? emit(.loading(Progress("importing", done: $0, unit: "items")))
      }
      try emit(ImportFromPresenter().present(report))
    } catch let error as ServerError {
      switch error.code {
      case .unreachable:
        throw UserMessage(code: .unreachable, text: error.message + "; repeat the command to continue")
      case .refused, .badAnswer: throw UserMessage(code: .badData, text: error.message)
      }
    }
  }
}

/// Reports what an import from a server added, and what it could not import.
struct ImportFromPresenter {
  func present(_ report: ServerImport.Report) -> Container<Outcome> {
    let counts = report.counts
    var notes = report.skipped.map {
      "\(WebAddress.redacted($0)): not imported: its URL is not http or https, or too long"
    }
    if report.withoutFeed > 0 {
      notes.append(
        "\(Plural.of(report.withoutFeed, "item")) not imported: the server does not name their feed"
      )
    }
    if report.continued > 0 {
      notes.append(
        "continued after \(Plural.of(report.continued, "item")) that an interrupted import has read"
      )
    }
    notes.append(
      "\(Plural.of(counts.feeds, "feed")), \(Plural.of(counts.items, "item")); \(counts.unchanged) were stored before"
    )
    return .ready(Outcome(notes))
  }
}
