import NewsCore
import Synchronization
import Testing

@testable import Modules

/// The containers that an interactor emitted, as texts that tests compare.
struct Emitted<Content: ScreenContent> {
  var all: [Container<Content>]

  /// The content of the last container.
  var content: Content? { all.last?.content }
  var failure: UserMessage? { all.last?.failure }
  var notes: [String] { all.last?.content?.notes.map(\.string) ?? [] }
  var warnings: [String] { all.flatMap { $0.content?.warnings ?? [] }.map(\.string) }

  /// The progress of each loading container: `copying 3/8 pages`.
  var progress: [String] {
    all.compactMap { container in
      guard case .loading(let progress) = container.phase, let activity = progress.activity else {
        return nil
      }
      guard let unit = progress.unit else { return activity.string }
      let total = progress.total.map { "/\($0)" } ?? ""
      return "\(activity.string) \(progress.done)\(total) \(unit.string)"
    }
  }
}

extension Emitted {
  /// The text of each record.
  func lines<Record>() -> [String] where Content == RecordList<Record> {
    content?.lines.map(\.text.string) ?? []
  }
}

extension Emitted where Content == DocumentContent {
  var bytes: String { String(decoding: all.flatMap { $0.content?.bytes ?? [] }, as: UTF8.self) }
}

/// Runs a module and collects what it emits.
func emitted<I: Interactor>(_ interactor: I, _ request: I.Request) async throws -> Emitted<I.ViewModel> {
  let collected = Collected<I.ViewModel>()
  try await interactor.run(request, emit: collected.emit)
  return Emitted(all: collected.all)
}
