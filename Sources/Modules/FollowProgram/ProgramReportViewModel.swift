/// The failed runs since the previous container, as warnings.
public struct ProgramReportViewModel: ScreenContent {
  public var warnings: [DisplayText] = []
  public var rowCount: Int { warnings.count }
}
