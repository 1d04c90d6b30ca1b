public import NewsCore

/// Items before and after their pages were read.
public struct ArticlePreviewViewModel: RecordListContent {
  public typealias Record = ArticlePreview.Entry

  public var lines: [RecordLine<ArticlePreview.Entry>]
  public var isSearch: Bool { true }
  public var rowCount: Int { lines.count }
}
