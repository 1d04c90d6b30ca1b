/// A named value of the web server's state.
public struct WebStatusFigure: Hashable, Sendable {
  public var name: String
  public var value: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// The state of the web server, and what to do next.
public struct WebStatusViewModel: RecordListContent {
  public typealias Record = WebStatusFigure

  public var lines: [RecordLine<WebStatusFigure>] = []
  public var notes: [DisplayText] = []
  public var rowCount: Int { lines.count }
}
