public import NewsCore

/// Lists the problems of a feed document for its publisher.
public struct ParseCheckInteractor: Interactor {
  private let parser: any FeedParsing
  private let read: FileReading

  public init(parser: any FeedParsing, read: @escaping FileReading) {
    self.parser = parser
    self.read = read
  }

  public func respond(to source: DocumentSource, emit: @escaping Emit<RecordList<SyntaxProblem>>) async throws
  {
    let problems = try parser.check(source.document(try read(source.path)))
    try emit(ParseCheckPresenter().present(problems, name: source.path))
  }
}

/// Formats problems in the form that editors read: `file:line:column: message`.
struct ParseCheckPresenter {
  func present(_ problems: [SyntaxProblem], name: String) -> Container<RecordList<SyntaxProblem>> {
    .list(
      problems.map { problem in
        let place = problem.line > 0 ? "\(problem.line):\(problem.column): " : ""
        return RecordLine(problem, "\(name):\(place)\(problem.message)")
      }
    )
  }
}
