import NewsCore
import NewsToolbox

/// Formats the processes that share a store as lines.
public struct NodesPresenter: Presenting {
  public typealias ViewModel = NodesViewModel

  private let times: TimeDisplay

  public init(times: TimeDisplay) {
    self.times = times
  }

  func list(_ nodes: [StoreNode]) -> Container<NodesViewModel> {
    .ready(
      NodesViewModel(
        lines: nodes.map { RecordLine(record: $0, text: text($0), note: nil) },
        notes: nodes.isEmpty ? [DisplayText(line: "No 'newsd run' polls this store.")] : []
      )
    )
  }

  private func text(_ node: StoreNode) -> DisplayText {
    DisplayText(
      line: [
        node.name, node.version, "since \(times.dateAndTime(node.since))",
        Plural.of(node.feeds, "feed") + " in progress",
        "last heartbeat \(times.dateAndTime(node.lastBeat))",
      ].joined(separator: "  ")
    )
  }

  func singleProcess() -> Container<NodesViewModel> {
    present(
      UserMessage(
        code: .usage,
        text: "'newsd nodes' needs a store on PostgreSQL; for a store in a file use 'newsd status --health'"
      )
    )
  }
}
