import NewsFormats

/// An option of the command line: `--long`, `-s`, with or without a value.
struct OptionSpec: Hashable, Sendable {
  /// The kind of completion for a value or operand.
  enum Completion: Hashable, Sendable {
    case none
    case file
    case directory
    case words([String])
    case feeds
    case searches
    case feedsAndSearches
    case folders
    case labels
    /// A comma-separated list of these names.
    case fields([String])
    case commands
  }

  var long: String
  var short: Character?
  /// Name of the value in help texts; nil: the option is a flag.
  var value: String?
  var help: String
  var completion: Completion
  /// True: the option may be given several times, and all values count.
  var repeats: Bool

  init(
    _ long: String,
    short: Character? = nil,
    value: String? = nil,
    completion: Completion = .none,
    repeats: Bool = false,
    _ help: String
  ) {
    self.long = long
    self.short = short
    self.value = value
    self.help = help
    self.completion = completion
    self.repeats = repeats
  }

  /// The option as help shows it, for example `-n, --limit N`.
  var usage: String {
    let name = (short.map { "-\($0), " } ?? "    ") + "--\(long)"
    return value.map { "\(name) \($0)" } ?? name
  }
}

/// A word after the command that is not an option.
struct OperandSpec: Hashable, Sendable {
  enum Count: Hashable, Sendable { case one, optional, many, oneOrMore }

  var name: String
  var count: Count
  var completion: OptionSpec.Completion

  init(_ name: String, _ count: Count = .one, completion: OptionSpec.Completion = .none) {
    self.name = name
    self.count = count
    self.completion = completion
  }

  var usage: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .many: "[\(name)…]"
    case .oneOrMore: "\(name)…"
    }
  }
}

/// A command or subcommand. Parsing, help, the manual and completions all read it.
struct CommandSpec: Sendable {
  /// Converts the words to a task.
  typealias Action = @Sendable (Invocation, CommandContext) throws -> CommandTask

  var name: String
  var summary: String
  /// Text for help and manual; an empty line separates paragraphs.
  var details: String
  var options: [OptionSpec]
  var operands: [OperandSpec]
  /// The keys of a `KEY=VALUE` operand.
  var settings: [Setting]
  /// The options that change what the command does.
  var modes: [Mode]
  /// The command to suggest if this one gets an operand that it does not take.
  var suggestedCommand: String?
  /// True: the operands are a query, in which only exact names of known options are options.
  var takesQuery: Bool
  /// True: fails with status 66 if the store does not exist, instead of creating it.
  var needsStore: Bool
  /// True: creates the default store despite `needsStore`, if the user names no store.
  var makesDefaultStore = false
  /// Whether the command changes the store: newsd then upgrades a store of an earlier layout first. False for 'run', which
  /// upgrades by itself, for 'restore' and 'copy', which upgrade a copy, and for 'check --repair', because a damaged store
  /// must not be upgraded.
  var changesStore: Condition
  /// Whether the command needs the limits of `StartLimits.fetching`, as all that fetch or follow do.
  var isHeavy: Condition
  /// Whether the command fails if the configuration is invalid.
  var readsConfiguration: Condition
  var accounts: Accounts
  /// The signals that the command handles, from the start on.
  var signals: [Int32]
  var examples: [Example]
  var subcommands: [CommandSpec]
  /// The subcommand that runs if the words name none.
  var defaultSubcommand: String?
  var action: Action?

  /// An option that changes what a command does. Options without an effect in that mode are rejected.
  struct Mode: Hashable, Sendable {
    var option: String
    /// The options that keep their effect.
    var compatibleOptions: [String]
    /// The options that have an effect only in this mode.
    var dependentOptions: [String]
    var takesOperands: Bool
    /// The fixed format of the items in this mode; nil: the user chooses.
    var format: OutputFormat?

    init(
      _ option: String,
      compatible: [OptionSpec] = [],
      and names: [String] = [],
      dependent: [String] = [],
      takesOperands: Bool = false,
      format: OutputFormat? = nil
    ) {
      self.option = option
      self.format = format
      self.compatibleOptions = compatible.map(\.long) + names
      self.dependentOptions = dependent
      self.takesOperands = takesOperands
    }
  }

  /// A fact about a command that holds always, never, or with some words only.
  struct Condition: Sendable, ExpressibleByBooleanLiteral {
    let holds: @Sendable (Invocation) -> Bool

    init(_ holds: @escaping @Sendable (Invocation) -> Bool) {
      self.holds = holds
    }

    init(booleanLiteral holds: Bool) {
      self.init { _ in holds }
    }

    /// Holds if one of these options is given.
    static func with(_ options: String...) -> Self { Self { options.contains(where: $0.has) } }

    /// Holds if there are at least `count` operands.
    static func withOperand(_ count: Int) -> Self { Self { $0.operands.count >= count } }
  }

  /// The accounts on whose stores a command works, if there are accounts.
  enum Accounts: Sendable {
    /// The account that is named. The words must name one.
    case one
    /// The account that is named, or no store.
    case ifNamed
    /// The account that is named, or all of them if the condition holds.
    case all(when: Condition)
    /// The command opens no account's store, or only stores that its words name.
    case none
  }

  struct Setting: Hashable, Sendable {
    var name: String
    var help: String
  }

  struct Example: Hashable, Sendable {
    var line: String
    var meaning: String
    init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  init(
    _ name: String,
    _ summary: String,
    details: String = "",
    options: [OptionSpec] = [],
    modes: [Mode] = [],
    operands: [OperandSpec] = [],
    suggestedCommand: String? = nil,
    settings: [Setting] = [],
    takesQuery: Bool = false,
    needsStore: Bool = false,
    makesDefaultStore: Bool = false,
    changesStore: Condition = false,
    isHeavy: Condition = false,
    readsConfiguration: Condition = true,
    accounts: Accounts = .one,
    signals: [Int32] = [],
    examples: [Example] = [],
    defaultSubcommand: String? = nil,
    subcommands: [CommandSpec] = [],
    task action: Action? = nil
  ) {
    self.name = name
    self.summary = summary
    self.details = details
    self.options = options
    self.modes = modes
    self.operands = operands
    self.suggestedCommand = suggestedCommand
    self.settings = settings
    self.takesQuery = takesQuery
    self.needsStore = needsStore
    self.makesDefaultStore = makesDefaultStore
    self.changesStore = changesStore
    self.isHeavy = isHeavy
    self.readsConfiguration = readsConfiguration
    self.accounts = accounts
    self.signals = signals
    self.examples = examples
    self.subcommands = subcommands
    self.defaultSubcommand = defaultSubcommand
    self.action = action
  }

  /// The options of the command and of its subcommands.
  var allOptions: [OptionSpec] { subcommands.reduce(options) { $0 + $1.allOptions } }

  func subcommand(_ name: String) -> CommandSpec? {
    subcommands.first { $0.name == name }
  }
}
