/// The result of a restore, as notes.
public struct RestoreViewModel: ScreenContent {
  public var notes: [DisplayText]
  public var rowCount: Int { 1 }
}
