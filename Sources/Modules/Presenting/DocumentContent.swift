/// The next bytes of a document that has only one format, such as an export.
public struct DocumentContent: ScreenContent {
  public var bytes: [UInt8]
  public var notes: [DisplayText] = []
  public var warnings: [DisplayText] = []
  public var rowCount: Int { bytes.isEmpty ? 0 : 1 }
}

/// Presents a document in pieces.
struct DocumentPresenter: Presenting {
  typealias ViewModel = DocumentContent

  func present(
    _ bytes: [UInt8],
    _ progress: Progress = Progress(),
    warnings: [DisplayText] = []
  ) -> Container<DocumentContent> {
    .loading(progress, keeping: DocumentContent(bytes: bytes, warnings: warnings))
  }

  func end() -> Container<DocumentContent> { .ready(DocumentContent(bytes: [])) }
}
