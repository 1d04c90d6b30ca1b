import NewsCore

/// The next bytes of a document that has only one format, such as an export.
public struct DocumentContent: ScreenContent {
  public var bytes: [UInt8] = []
  public var notes: [DisplayText] = []
  public var warnings: [DisplayText] = []
  public var rowCount: Int { bytes.isEmpty ? 0 : 1 }
}

/// A document that the user names, with the properties that an HTTP response would give.
public struct DocumentSource: Hashable, Sendable {
  /// A file; `-` is standard input.
  public var path: String
  /// The Content-Type of the response.
  public var contentType: String?
  /// The base of relative URLs.
  public var baseURL: String?

  public init(path: String, contentType: String? = nil, baseURL: String? = nil) {
    self.path = path
    self.contentType = contentType
    self.baseURL = baseURL
  }

  func document(_ bytes: [UInt8] = []) -> FeedDocument {
    FeedDocument(bytes: bytes, contentType: contentType, baseURL: baseURL)
  }
}

/// Reads a whole file; `-` is standard input.
public typealias FileReading = @Sendable (String) throws -> [UInt8]
