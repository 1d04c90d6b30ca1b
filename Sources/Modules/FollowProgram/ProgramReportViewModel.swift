/// What programs failed at since the container before, in warnings.
public struct ProgramReportViewModel: ScreenContent {
  public var warnings: [DisplayText] = []
  public var rowCount: Int { warnings.count }
}
