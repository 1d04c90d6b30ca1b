import Modules
import NewsCore

/// The columns of a day in a chart.
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
