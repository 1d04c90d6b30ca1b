import NewsToolbox
import NewsFormats

/// Rejects options that would be ignored: given twice, contradictory, or without effect in the mode or format.
struct OptionRules {
  /// Pairs of options that contradict each other in every command.
  static let contradictions = [
    ("header", "no-header"), ("utc", "local"), ("template", "template-file"), ("quiet", "verbose"),
    ("page", "before"),
  ]

  /// The formats in which an option has an effect, by the option's name in alphabetical order.
  static let formats: [(option: String, formats: [OutputFormat])] = [
    ("csv-safe", [.csv]),
    ("fields", [.tsv, .csv, .json, .jsonl]),
    ("header", [.tsv, .csv]),
    ("local", [.text, .template, .html, .markdown]),
    ("no-header", [.tsv, .csv]),
    ("output", [.maildir]),
    ("template", [.template]),
    ("template-file", [.template]),
  ]

  let command: CommandSpec
  let globalOptions: [OptionSpec]

  /// Checks the options. Throws a `UsageError` that names the wrong option or operand and what it
  /// contradicts.
  func check(_ invocation: Invocation) throws(UsageError) {
    let help = invocation.path.first
    for option in globalOptions + command.options where !option.repeats {
      if invocation.values(option.long).count > 1 {
        throw UsageError("--\(option.long) is given more than once", command: help)
      }
    }
    for (one, other) in Self.contradictions where invocation.has(one) && invocation.has(other) {
      throw UsageError("--\(one) and --\(other) contradict each other", command: help)
    }
    for mode in command.modes { try check(mode, invocation) }
    if case .words(let names)? = command.options.first(where: { $0.long == "format" })?.completion {
      try checkFormat(invocation, among: names)
    }
  }

  private func check(_ mode: CommandSpec.Mode, _ invocation: Invocation) throws(UsageError) {
    let help = invocation.path.first
    guard invocation.has(mode.option) else {
      for option in mode.dependentOptions where invocation.has(option) {
        throw UsageError("--\(option) needs --\(mode.option)", command: help)
      }
      return
    }
    let kept = mode.compatibleOptions + mode.dependentOptions + [mode.option]
    for option in command.options where invocation.has(option.long) && !kept.contains(option.long) {
      throw UsageError("--\(option.long) has no effect with --\(mode.option)", command: help)
    }
    if !mode.takesOperands, let operand = invocation.operands.first {
      throw UsageError("--\(mode.option) does not take '\(operand)'", command: help)
    }
  }

  private func checkFormat(_ invocation: Invocation, among names: [String]) throws(UsageError) {
    let hasTemplate = invocation.has("template") || invocation.has("template-file")
    let mode = command.modes.first { invocation.has($0.option) && $0.format != nil }
    let preset: OutputFormat = mode?.format ?? (hasTemplate ? .template : .text)
    guard let format = invocation.value("format").map(OutputFormat.init(rawValue:)) ?? preset else {
      let name = invocation.value("format") ?? ""
      throw UsageError(NameHint.unknown("format", name, among: names), command: invocation.path.first)
    }
    for (option, formats) in Self.formats where invocation.has(option) && !formats.contains(format) {
      let names = formats.map(\.rawValue).joined(separator: ", ")
      throw UsageError(
        "--\(option) has no effect on the \(format.rawValue) format, only on \(names)",
        command: invocation.path.first
      )
    }
  }
}
