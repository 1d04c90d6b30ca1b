import NewsToolbox
public import NewsCore

/// Lists the processes that poll the feeds of a store together.
public struct NodesInteractor: Interactor {
  private let store: (any NodeListing)?
  private let times: TimeDisplay

  /// `store` is nil if only one process can poll it.
  public init(store: (any NodeListing)?, times: TimeDisplay) {
    self.store = store
    self.times = times
  }

  public func respond(to request: Void, emit: @escaping Emit<RecordList<StoreNode>>) async throws {
    guard let store else {
      throw UserMessage(
        code: .usage,
        text: "'newsd nodes' needs a store on PostgreSQL; for a store in a file use 'newsd status --health'"
      )
    }
    try emit(NodesPresenter(times: times).list(try await store.nodes()))
  }
}

/// Formats the processes that share a store as lines.
struct NodesPresenter {
  let times: TimeDisplay

  func list(_ nodes: [StoreNode]) -> Container<RecordList<StoreNode>> {
    .list(
      nodes.map { node in
        let parts = [
          node.name, node.version, "since \(times.dateAndTime(node.since))",
          Plural.of(node.feeds, "feed") + " in progress",
          "last heartbeat \(times.dateAndTime(node.lastBeat))",
        ]
        return RecordLine(node, parts.joined(separator: "  "))
      },
      notes: nodes.isEmpty ? ["no 'newsd run' polls this store"] : []
    )
  }
}
