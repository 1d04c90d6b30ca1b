public import NewsCore

/// Items a day, as bars.
public struct NewsListChartViewModel: ScreenContent {
  public struct Bar: Hashable, Sendable {
    public var day: DisplayText
    public var count: Int
  }

  /// Days without items between others are there with 0, the newest day last.
  public var bars: [Bar]
  public var rowCount: Int { bars.count }
}

/// A column of a chart's counts.
enum NewsListChartField: String, RecordField {
  case day
  case count

  static let defaultColumns: [NewsListChartField] = [.day, .count]
  static let identity = NewsListChartField.day

  func value(of bar: NewsListChartViewModel.Bar) -> FieldValue {
    switch self {
    case .day: .text(bar.day.string)
    case .count: .number(Int64(bar.count))
    }
  }

  var isTime: Bool { false }
}

/// A second presenter of the NewsList interactor: the same news, seen as activity.
public struct NewsListChartPresenter: NewsListPresenting {
  public let interest = NewsListInterest.activity
  public let showsTotal = false
  /// Days shown at most, counted from the newest.
  private let dayLimit: Int

  public init(dayLimit: Int = 30) {
    self.dayLimit = dayLimit
  }

  public func present(_ response: NewsListResponse) -> Container<NewsListChartViewModel> {
    guard case .activity(let days) = response, let last = days.last?.day, let first = days.first?.day else {
      return .ready(NewsListChartViewModel(bars: []))
    }
    let counts = Dictionary(days.map { ($0.day, $0.count) }, uniquingKeysWith: +)
    let bars = (max(first, last - (dayLimit - 1))...last).map { day in
      NewsListChartViewModel.Bar(
        day: DisplayText(line: Timestamp(seconds: Int64(day) * 86_400).date(in: .utc)),
        count: counts[day] ?? 0
      )
    }
    return .ready(NewsListChartViewModel(bars: bars))
  }

  public func present(_ error: StoreError) -> Container<NewsListChartViewModel> {
    .failed(UserMessage(error))
  }
}

/// Text: bars in eighths of a column. Other formats: records of day and count.
public struct NewsListChartView: ContentView {
  private let terminal: Terminal
  private var encoder: (any RecordEncoding<NewsListChartViewModel.Bar>)?

  /// - Parameter shape: The format with its columns.
  /// - Throws: A usage error for a format that records do not have, or an unknown column.
  public init(_ shape: RecordShape) throws(UserMessage) {
    terminal = shape.terminal
    encoder = try RecordOutput<NewsListChartField>(shape).makeEncoder()
  }

  public mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try encoder?.begin(&buffer) }
  public mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try encoder?.end(&buffer) }

  public mutating func render(
    _ content: NewsListChartViewModel,
    isLast: Bool,
    _ buffer: inout ByteBuffer
  ) throws(OutputError) {
    if encoder == nil {
      draw(content, &buffer)
    } else {
      try encoder?.append(contentsOf: content.bars, to: &buffer)
    }
  }

  private func draw(_ content: NewsListChartViewModel, _ buffer: inout ByteBuffer) {
    guard let most = content.bars.map(\.count).max(), most > 0 else { return }
    let countWidth = String(most).utf8.count
    let room = max((terminal.width ?? 80) - 10 - 2 - countWidth - 1, 8)
    for bar in content.bars {
      buffer.paint(bar.day, .date, on: terminal)
      buffer.spaces(1 + countWidth - String(bar.count).utf8.count)
      buffer.append(decimal: Int64(bar.count))
      let blocks = self.blocks(bar.count, of: most, in: room)
      if !blocks.isEmpty {
        buffer.spaces(1)
        buffer.paint(safe: blocks, .bar, on: terminal)
      }
      buffer.newLine()
    }
  }

  /// `room` columns for the most; anything above zero is seen.
  private func blocks(_ count: Int, of most: Int, in room: Int) -> String {
    let eighths = count == 0 ? 0 : max(1, count * room * 8 / most)
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + rest
  }
}
