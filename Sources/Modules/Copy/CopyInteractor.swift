import NewsToolbox
public import NewsCore

/// Copies everything that one store holds into another, empty one.
public struct CopyInteractor: Interactor {
  private let source: any StoreExporting
  private let target: any StoreExporting

  public init(from source: any StoreExporting, to target: any StoreExporting) {
    self.source = source
    self.target = target
  }

  /// Copies the store. The note on the result shows `name` as the target's name.
  public func respond(to name: String, emit: @escaping Emit<Outcome>) async throws {
    let report = try await StoreCopy().copy(from: source, to: target) { lines, all in
      // The total is known once all lines are read.
      let activity: StaticString = all == nil ? "reading" : "storing"
      try emit(.loading(Progress(activity, done: lines, total: all, unit: "lines")))
    }
    let what = "\(Plural.of(report.feeds, "feed")) and \(Plural.of(report.items, "item"))"
    try emit(.outcome("copied \(what) to \(name)"))
  }
}
