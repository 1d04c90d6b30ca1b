/// What a restore did, in notes.
public struct RestoreViewModel: ScreenContent {
  public var notes: [DisplayText]
  public var rowCount: Int { 1 }
}
