public import Modules
public import NewsToolbox

/// Content that is a list of lines and nothing else.
public protocol LinesContent: ScreenContent {
  var lines: [DisplayText] { get }
}

extension FeedSettingsViewModel: LinesContent {}
extension HealthViewModel: LinesContent {}
extension SearchExplanationViewModel: LinesContent {}
extension TokensViewModel: LinesContent {}

/// Writes lines in the plain style.
public struct LinesView<Content: LinesContent>: ContentView {
  public init() {}

  public func render(_ content: Content, isLast: Bool, _ buffer: inout ByteBuffer) {
    for line in content.lines { buffer.append(line.string + "\n") }
  }
}
