/// The result of a backup, as a note.
public struct BackupViewModel: ScreenContent {
  public var notes: [DisplayText]
  public var rowCount: Int { 1 }
}
