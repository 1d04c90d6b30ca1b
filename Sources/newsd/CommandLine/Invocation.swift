/// A parsed command line: the command, its options and its operands.
import NewsToolbox

struct Invocation: Sendable {
  /// The command, for example `["feeds", "add"]`.
  var path: [String]
  var options: [String: [String]]
  var operands: [String]

  /// The value given for an option that does not repeat.
  func value(_ name: String) -> String? { options[name]?.last }

  /// The values given for an option that may repeat, as typed.
  func values(_ name: String) -> [String] { options[name] ?? [] }

  func has(_ name: String) -> Bool { options[name] != nil }

  /// The option's value as an integer in `range`; nil if the option is not given.
  func integer(_ name: String, in range: ClosedRange<Int> = 0...Int.max) throws(UsageError) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let bounds =
        range.upperBound == Int.max
        ? "from \(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
      throw UsageError("--\(name) takes a whole number \(bounds), not '\(text)'")
    }
    return number
  }

  /// The option's value as a case of `type`; nil if the option is not given.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String,
    of type: Choice.Type
  ) throws(UsageError) -> Choice? where Choice.RawValue == String {
    guard let text = value(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map(\.rawValue)
      throw UsageError(
        "--\(name) takes \(names.joined(separator: "|")), not '\(text)'"
          + NameHint.text(for: text, among: names)
      )
    }
    return choice
  }
}
