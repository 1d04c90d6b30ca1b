/// A note on the change.
public struct WebPasswordViewModel: ScreenContent {
  public var notes: [DisplayText] = []
  public var rowCount: Int { 0 }
}
