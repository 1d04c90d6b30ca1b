public import NewsCore

/// Lists the problems of a feed document for its publisher.
public struct PublisherCheckInteractor: Interactor {
  private let parser: any FeedParsing
  private let read: FileReading
  private let presenter = PublisherCheckPresenter()

  public init(parser: any FeedParsing, read: @escaping FileReading) {
    self.parser = parser
    self.read = read
  }

  public func respond(to source: DocumentSource, emit: @escaping Emit<PublisherCheckViewModel>) async throws {
    try emit(presenter.present(try parser.check(source.document(try read(source.path))), name: source.path))
  }
}
