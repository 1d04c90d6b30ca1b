import NewsCore

extension Timestamp {
  /// The time as an HTTP date, such as `Sat, 21 Nov 2026 11:58:48 GMT` (RFC 9110 section 5.6.7).
  var imfFixdate: String {
    let date = civil()
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][date.weekday]
    let month = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ][date.month - 1]
    return
      "\(day), \(two(date.day)) \(month) \(date.year) \(two(date.hour)):\(two(date.minute)):\(two(date.second)) GMT"
  }
}
