/// Formats sizes in bytes for people.
public enum ByteCountText {
  /// Formats a size, for example `512 B` or `1.4 MiB`.
  public static func text(_ bytes: Int64) -> String {
    var value = Double(bytes)
    var unit = 0
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    while value >= 1024, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    guard unit > 0 else { return "\(bytes) B" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
