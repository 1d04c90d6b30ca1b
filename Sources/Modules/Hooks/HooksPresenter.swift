import NewsToolbox
import NewsCore

/// Formats hooks as lines and operations as sentences.
struct HooksPresenter {
  let times: TimeDisplay

  func list(_ configured: [Hook], _ states: [HookState]) -> Container<RecordList<HookSummary>> {
    var entries: [HookSummary] = configured.map { hook in
      guard let state = states.first(where: { $0.name == hook.name }) else {
        return HookSummary(hook: hook, state: HookState(name: hook.name), condition: .new)
      }
      let isWaiting = state.nextTry.map { $0 > times.now } ?? false
      return HookSummary(hook: hook, state: state, condition: isWaiting ? .waiting : .active)
    }
    entries += states.filter { state in !configured.contains { $0.name == state.name } }
      .map { HookSummary(hook: nil, state: $0, condition: .removed) }
    return .list(
      entries.map { RecordLine($0, text($0), note: note($0)) },
      notes: entries.isEmpty ? [Self.none] : []
    )
  }

  private static let none =
    "The configuration has no hooks. Its key 'hooks' takes them; config/newsd.yaml shows how."

  private func text(_ entry: HookSummary) -> String {
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
    return parts.joined(separator: "  ")
  }

  private func note(_ entry: HookSummary) -> String? {
    guard let error = entry.state.lastError else { return nil }
    let time = entry.state.lastErrorTime.map { " \(times.dateAndTime($0))" } ?? ""
    return "last error\(time): \(error)"
  }

  func tested(_ hook: Hook, _ outcome: HookOutcome) -> Container<RecordList<HookSummary>> {
    switch outcome {
    case .delivered(let what):
      return .note("\(hook.name): delivered a sample to \(hook.displayTarget) (\(what)).")
    case .refused(let error), .failed(let error, wait: _):
      return .failed(.unreachable, "\(hook.name): \(hook.displayTarget): \(error)")
    }
  }

  func retried(_ count: Int) -> Container<RecordList<HookSummary>> {
    .note(
      count == 0
        ? "Nothing waits for another attempt."
        : "\(Plural.of(count, "delivery", "deliveries")) will be tried again by 'newsd run'."
    )
  }

  func dropped(_ name: String, _ count: Int) -> Container<RecordList<HookSummary>> {
    .note("Dropped \(Plural.of(count, "delivery", "deliveries")) of \(name).")
  }

  func missing(_ name: String) -> UserMessage {
    UserMessage(code: .notFound, text: "there is no hook '\(name)'; 'newsd hooks' lists them")
  }
}
