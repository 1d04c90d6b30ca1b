import Testing

@testable import newsd

@Suite struct `Help text` {
  private let help = HelpText(table: CommandTable.commands, globalOptions: CommandTable.globalOptions)

  @Test func `The help of options fits 80 columns unless a single word does not`() throws {
    for command in CommandTable.commands {
      var isInOptions = false
      for line in try help.command([command.name]).split(separator: "\n") {
        if !line.hasPrefix(" ") { isInOptions = line.hasPrefix("Options") || line == "Settings:" }
        guard isInOptions, line.count > 80 else { continue }
        let last = line.split(separator: " ").last ?? ""
        #expect(last.count > 30, "\(command.name): \(line)")
      }
    }
  }

  @Test func `Wrapping the help of options loses no word`() throws {
    let words = try help.command(["list"]).split(whereSeparator: \.isWhitespace)
    for option in CommandTable.command(["list"])?.options ?? [] {
      for word in option.help.split(whereSeparator: \.isWhitespace) { #expect(words.contains(word)) }
    }
  }
}
