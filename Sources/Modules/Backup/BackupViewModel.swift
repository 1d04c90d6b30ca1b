/// What a backup did, in a note.
public struct BackupViewModel: ScreenContent {
  public var notes: [DisplayText]
  public var rowCount: Int { 1 }
}
