/// The runs of `follow --exec` that failed since the last report, as warnings.
public struct ProgramReportViewModel: ScreenContent {
  public var warnings: [DisplayText] = []
  public var rowCount: Int { warnings.count }
}
