import Testing

@testable import newsd

@Suite struct `Manual page` {
  private let text = ManualPage(
    table: CommandTable.commands,
    globalOptions: CommandTable.globalOptions,
    date: Version.date
  ).text

  @Test func `Words that the user types are not capitalized`() {
    let lines = text.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("text|tsv|csv|json|") })
    #expect(lines.contains("newest (default), oldest or relevance."))
    #expect(lines.contains("text or json."))
    #expect(lines.contains { $0.hasPrefix("env:NAME, file:PATH or config:NAME, ") })
  }

  @Test func `Sentences begin with a capital`() {
    #expect(text.contains("\nUse colour: auto (on a terminal), always or never.\n"))
    #expect(text.contains("\nSelect unread items.\n"))
  }

  @Test func `Every command and option has its entry`() {
    for command in CommandTable.commands {
      for leaf in command.subcommands.isEmpty ? [command] : command.subcommands {
        let name = (command.subcommands.isEmpty ? "" : command.name + " ") + leaf.name
        #expect(text.contains("\n.Ss \(name)\n"))
        for option in leaf.options {
          let escaped = option.long.split(separator: "-").joined(separator: "\\-")
          #expect(text.contains("Fl \\-\(escaped)"), "\(name) --\(option.long)")
        }
      }
    }
  }
}
