/// The outcome of an import, in notes.
public struct StoreImportViewModel: ScreenContent {
  public var notes: [DisplayText]
  public var rowCount: Int
}
