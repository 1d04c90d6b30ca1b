import NewsCore
import NewsToolbox

/// Formats hooks as lines and operations as sentences.
public struct HooksPresenter: Presenting {
  public typealias ViewModel = HooksViewModel

  private let times: TimeDisplay

  public init(times: TimeDisplay) {
    self.times = times
  }

  func list(_ configured: [Hook], _ states: [HookState]) -> Container<HooksViewModel> {
    var entries: [HookSummary] = configured.map { hook in
      guard let state = states.first(where: { $0.name == hook.name }) else {
        return HookSummary(hook: hook, state: HookState(name: hook.name), condition: .new)
      }
      let isWaiting = state.nextTry.map { $0 > times.now } ?? false
      return HookSummary(hook: hook, state: state, condition: isWaiting ? .waiting : .active)
    }
    entries += states.filter { state in !configured.contains { $0.name == state.name } }
      .map { HookSummary(hook: nil, state: $0, condition: .removed) }
    return .ready(
      HooksViewModel(
        lines: entries.map { RecordLine(record: $0, text: text($0), note: note($0)) },
        notes: entries.isEmpty ? [Self.none] : []
      )
    )
  }

  private static let none = DisplayText(
    line: "The configuration has no hooks. Its key 'hooks' takes them; config/newsd.yaml shows how."
  )

  private func text(_ entry: HookSummary) -> DisplayText {
    let state = entry.state
    var parts = [
      "\(state.name)  \(entry.hook.map { "\($0.target.kind) \($0.displayTarget)" } ?? "-")",
      "\(state.pending) pending", "\(state.failed) failed", "\(state.delivered) delivered",
    ]
    switch entry.condition {
    case .active: break
    case .waiting: if let time = state.nextTry { parts.append("next attempt \(times.dateAndTime(time))") }
    case .new: parts.append("takes effect with the next 'newsd run' or 'newsd fetch'")
    case .removed: parts.append("not in the configuration")
    }
    return DisplayText(line: parts.joined(separator: "  "))
  }

  private func note(_ entry: HookSummary) -> DisplayText? {
    guard let error = entry.state.lastError else { return nil }
    let time = entry.state.lastErrorTime.map { " \(times.dateAndTime($0))" } ?? ""
    return DisplayText(line: "last error\(time): \(error)")
  }

  func tested(_ hook: Hook, _ outcome: HookOutcome) -> Container<HooksViewModel> {
    switch outcome {
    case .delivered(let what):
      return note("\(hook.name): delivered a sample to \(hook.displayTarget) (\(what)).")
    case .refused(let error), .failed(let error, wait: _):
      return present(UserMessage(code: .unreachable, text: "\(hook.name): \(hook.displayTarget): \(error)"))
    }
  }

  func retried(_ count: Int) -> Container<HooksViewModel> {
    note(
      count == 0
        ? "Nothing waits for another attempt."
        : "\(Plural.of(count, "delivery", "deliveries")) will be tried again by 'newsd run'."
    )
  }

  func dropped(_ name: String, _ count: Int) -> Container<HooksViewModel> {
    note("Dropped \(Plural.of(count, "delivery", "deliveries")) of \(name).")
  }

  func missing(_ name: String) -> Container<HooksViewModel> {
    present(UserMessage(code: .notFound, text: "there is no hook '\(name)'; 'newsd hooks' lists them"))
  }

  private func note(_ text: String) -> Container<HooksViewModel> {
    .ready(HooksViewModel(notes: [DisplayText(line: text)]))
  }
}
