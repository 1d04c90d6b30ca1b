import Modules
import Testing

@testable import newsd

@Suite struct `Completions` {
  private let finder = CompletionFinder(
    table: CommandTable.commands,
    globalOptions: CommandTable.globalOptions
  )

  /// The candidates for the last word that begin with it.
  private func offered(_ words: String...) -> [String] {
    switch finder.find(words).request {
    case .choices(let choices), .unfinishedChoices(let choices):
      choices.map(\.text).filter { $0.hasPrefix(words.last ?? "") }
    default: []
    }
  }

  @Test func `The value of a global option is not taken for the command`() {
    #expect(offered("--db", "x.db", "list", "--unr") == ["--unread"])
    #expect(offered("--db=x.db", "-q", "list", "--unr") == ["--unread"])
    #expect(finder.find(["--db", "x.db", "list", ""]).options["db"] == "x.db")
  }

  @Test func `Commands, subcommands and the operands of help are completed`() {
    #expect(offered("fe") == ["fetch", "feeds"])
    #expect(offered("feeds", "re") == ["remove", "rename"])
    #expect(offered("help", "fe") == ["fetch", "feeds"])
    #expect(offered("help", "feeds", "re") == ["remove", "rename"])
    #expect(offered("mark", "un") == ["unread", "unstarred"])
    #expect(offered("nonsense", "").isEmpty)
  }

  @Test func `A list of fields continues after a comma with unused fields`() {
    #expect(offered("list", "--fields", "id,ti") == ["id,title"])
    #expect(!offered("list", "--fields", "title,ti").contains("title,title"))
    #expect(offered("list", "--fields=id,ti") == ["--fields=id,title"])
  }

  @Test func `The offered fields depend on the command`() {
    #expect(offered("feeds", "list", "--fields", "fold") == ["folder"])
    #expect(offered("list", "--fields", "fold").isEmpty)
    #expect(offered("changes", "--fields", "ki") == ["kind"])
  }

  @Test func `The options of the default subcommand are offered`() {
    #expect(offered("feeds", "--fo") == ["--folder", "--format"])
    #expect(offered("feeds", "--format", "op") == ["opml"])
  }

  @Test func `Fields of the query language and their values are completed`() {
    #expect(offered("search", "linux", "fol") == ["folder:"])
    #expect(offered("search", "-ti") == [] && offered("search", "is:un") == ["is:unread", "is:unstarred"])
    #expect(offered("follow", "-is:un") == [])
    #expect(offered("search", "linux", "--", "-is:st") == ["-is:starred"])
    #expect(finder.find(["search", "feed:x"]).request == .queryNames(.feeds, prefix: "feed:"))
    #expect(finder.find(["search", "folder:"]).request == .queryNames(.folders, prefix: "folder:"))
    #expect(finder.find(["search", "label:"]).request == .queryNames(.labels, prefix: "label:"))
    #expect(finder.find(["label", "add", ""]).request == .names(.labels, prefix: ""))
    #expect(finder.find(["rules", "add", "saved:"]).request == .queryNames(.searches, prefix: "saved:"))
  }

  @Test func `A single dash also offers the short options`() {
    for option in ["-n", "-q", "-v", "--limit"] { #expect(offered("list", "-").contains(option)) }
    #expect(offered("list", "--").allSatisfy { $0.hasPrefix("--") })
  }

  @Test func `Names of feeds, searches and folders come from the store`() {
    #expect(finder.find(["list", "--feed", "x"]).request == .names(.feedsAndSearches, prefix: ""))
    #expect(finder.find(["list", "--feed=x"]).request == .names(.feedsAndSearches, prefix: "--feed="))
    #expect(finder.find(["search", "--forget", ""]).request == .names(.searches, prefix: ""))
    #expect(finder.find(["feeds", "remove", ""]).request == .names(.feeds, prefix: ""))
    #expect(finder.find(["feeds", "move", "1", "--folder", ""]).request == .names(.folders, prefix: ""))
    #expect(finder.find(["fetch", "one", ""]).request == .names(.feeds, prefix: ""))
  }

  @Test func `Files and folders are left to the shell`() {
    #expect(finder.find(["--config=/e"]).request == .files(prefix: "--config="))
    #expect(finder.find(["list", "--output", ""]).request == .directories(prefix: ""))
    #expect(finder.find(["parse", ""]).request == .files(prefix: ""))
  }

  @Test func `Every option with fixed values offers them`() {
    for (path, command) in CommandTable.commands.flatMap({ command in
      command.subcommands.isEmpty
        ? [([command.name], command)] : command.subcommands.map { ([command.name, $0.name], $0) }
    }) {
      for option in command.options {
        guard case .words(let words) = option.completion else { continue }
        let answer = finder.find(path + ["--\(option.long)", ""]).request
        switch answer {
        case .choices(let choices), .unfinishedChoices(let choices): #expect(choices.map(\.text) == words)
        default: Issue.record("\(path) --\(option.long): \(answer)")
        }
      }
    }
  }
}
