public import NewsCore
import NewsToolbox

/// Passes items to the hooks that save them, such as those for read-later services.
public struct SaveInteractor: Interactor {
  private let marking: any ItemMarking
  private let presenter = MarkPresenter()

  public init(marking: any ItemMarking) { self.marking = marking }

  /// Fails if no hook has the event `saved`. If some ids match no item, saves the others and then fails with an error
  /// that lists the missing ids.
  public func respond(to ids: [NewsItem.ID], emit: @escaping Emit<MarkViewModel>) async throws {
    let names = try await marking.hooks(with: .saved)
    guard !names.isEmpty else {
      throw UserMessage(
        code: .configuration,
        text: "no hook saves items; 'newsd hooks presets' lists hooks for many services"
      )
    }
    let missing = try await marking.save(ids)
    let gone = Set(missing)
    let saved = gone.isEmpty ? ids : ids.filter { !gone.contains($0) }
    let hooks = (names.count == 1 ? "the hook " : "the hooks ") + names.joined(separator: ", ")
    let text = "\(Plural.of(saved.count, "item")) passed to \(hooks)"
    try emit(presenter.present(text, saved, missing: missing))
  }
}
