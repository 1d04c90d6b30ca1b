public import Modules

/// What programs failed at, as messages.
public struct ProgramReportView: ContentView {
  public init() {}

  public func render(_ content: ProgramReportViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    for line in content.lines {
      buffer.append(literal: "newsd: ")
      buffer.append(line.string)
      buffer.newLine()
    }
  }
}
