import FoundationEssentials
import NewsCore
import NewsToolbox
import Testing

@testable import newsd

/// Architectural rules that the target graph cannot enforce.
@Suite struct Architecture {
  private static let root: String = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  /// The folder that wraps each C module. SwiftPM does not detect undeclared imports of system libraries.
  private static let wrappers = [
    "CCurl": "Sources/NewsService/Network", "CPSL": "Sources/NewsService/Network",
    "CMicroHTTPD": "Sources/NewsService/HTTP", "CUnpack": "Sources/NewsService",
    "CCrypt": "Sources/NewsService/HTTP",
    "CCrypto": "Sources/NewsService/Toolbox/Hash", "CFriBidi": "Sources/Interfaces/Terminal/Direction",
    "CSpawn": "Sources/NewsService/Programs", "CNcurses": "Sources/Interfaces/Terminal/Curses",
    "CLibXML2": "Sources/NewsService/Syndication",
    "CSQLite": "Sources/NewsService/Stores/SQLite", "CPQ": "Sources/NewsService/Stores/Postgres/Wire",
    "CYAML": "Sources/newsd/Configuration", "CBuild": "Sources/newsd/CommandLine",
  ]

  private static func sources(below folder: String) throws -> [(path: String, text: String)] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")
    let files = try names.filter { $0.hasSuffix(".swift") }.map { name in
      let path = "\(folder)/\(name)"
      return (path, String(decoding: try FileBytes.read("\(root)/\(path)"), as: UTF8.self))
    }
    try #require(files.count > 20)
    return files
  }

  private static func imports(of text: String) -> [Substring] {
    text.split(separator: "\n").filter { $0.contains("import ") && !$0.hasPrefix("//") && !$0.hasPrefix(" ") }
      .compactMap { $0.split(separator: " ").last }
  }

  @Test func `A C library is imported only in the folder that wraps it`() throws {
    for (path, text) in try Self.sources(below: "Sources") {
      for module in Self.imports(of: text) {
        guard let wrapper = Self.wrappers[String(module)] else { continue }
        #expect(path.hasPrefix(wrapper + "/"), "\(path) imports \(module)")
      }
    }
  }

  @Test func `Core, search and the modules import inner layers only`() throws {
    let core: Set<Substring> = ["NewsToolbox", "Synchronization", "Glibc"]
    let search = core.union(["NewsCore"])
    let allowed = [
      "NewsService/Core": core, "NewsService/Search": search, "Modules": search.union(["NewsSearch"]),
    ]
    for (folder, inner) in allowed {
      for (path, text) in try Self.sources(below: "Sources/\(folder)") {
        for module in Self.imports(of: text) {
          #expect(inner.contains(module), "\(path) imports \(module)")
        }
      }
    }
  }

  /// `split(separator:)` splits at Characters, which include combining marks; `split(ascii:)` splits at bytes.
  @Test func `Services split text at bytes`() throws {
    for (path, text) in try Self.sources(below: "Sources/NewsService") {
      #expect(!text.contains(".split(separator: \""), "\(path)")
    }
  }

  @Test func `A module has the name of its command, or docs/architecture.md says why not`() throws {
    var commands: Set<String> = []
    func add(_ command: CommandSpec, after parent: String) {
      let name = parent + command.name.prefix(1).uppercased() + command.name.dropFirst()
      commands.insert(name)
      for inner in command.subcommands { add(inner, after: name) }
    }
    for command in CommandTable.commands { add(command, after: "") }
    let modules = try Self.sources(below: "Sources/Modules").flatMap { source in
      source.text.matches(of: /public struct (\w+)Interactor\b/).map { String($0.1) }
    }
    #expect(modules.count > 40)
    let guide = String(decoding: try FileBytes.read("\(Self.root)/docs/architecture.md"), as: UTF8.self)
    let start = try #require(guide.firstRange(of: "These names differ:")).upperBound
    let exceptions = Set(
      guide[start...].prefix { $0 != "#" }.matches(of: /`([A-Z]\w+)`/).map { String($0.1) }
    )
    for module in modules {
      // An option that runs another module adds a word to the command.
      let isNamed = commands.contains {
        module.hasPrefix($0) && module.dropFirst($0.count).first?.isLowercase != true
      }
      #expect(isNamed || exceptions.contains(module), "\(module)")
    }
    #expect(exceptions.subtracting(modules) == ["Configurator"])
  }

  @Test func `An interface imports the modules and inner interfaces, but no adapter`() throws {
    let inside: Set<Substring> = [
      "NewsToolbox", "NewsCore", "NewsSearch", "Modules", "Synchronization", "Glibc",
    ]
    let allowed: [String: Set<Substring>] = [
      "Text": inside, "Formats": inside.union(["NewsText"]),
      "Terminal": inside.union(["NewsText", "CNcurses", "CFriBidi"]),
      "Web": inside.union(["NewsHTTP", "NewsFormats"]),
      "Sync": inside.union(["NewsHTTP", "NewsText", "NewsFormats"]),
    ]
    for (path, text) in try Self.sources(below: "Sources/Interfaces") {
      let interface = try #require(path.split(separator: "/").dropFirst(2).first.map(String.init))
      for module in Self.imports(of: text) {
        #expect(allowed[interface]?.contains(module) == true, "\(path) imports \(module)")
      }
    }
  }

  @Test func `The command line builds and drives no interactor`() throws {
    for (path, text) in try Self.sources(below: "Sources/newsd") {
      #expect(!text.contains("Interactor"), "\(path) names an interactor")
    }
  }

  @Test func `Each file with commands lists them once, so that a new command needs no second file`() throws {
    var lists: [String] = []
    for (path, text) in try Self.sources(below: "Sources/newsd/Commands") where text.contains("CommandSpec(")
    {
      let own = text.matches(of: /static let (\w+Commands) = \[/).map { String($0.1) }
      #expect(own.count == 1, "\(path)")
      lists += own
    }
    let table = try FileBytes.read("\(Self.root)/Sources/newsd/CommandLine/CommandTable.swift")
    let text = String(decoding: table, as: UTF8.self)
    #expect(!text.contains("Entry(\""))
    for list in lists where list != "feedUpkeepCommands" { #expect(text.contains(list), "\(list)") }
  }

  @Test func `A file with interactors has the name of the first one, and no interactor replaces 'run'`()
    throws
  {
    let interactors = try Self.sources(below: "Sources/Modules").filter { _, text in
      text.contains(": Interactor {")
    }
    try #require(interactors.count > 20)
    for (path, text) in interactors {
      let name = try #require(text.firstMatch(of: /public struct (\w+)Interactor\b/)?.1)
      #expect(path.hasSuffix("/\(name)Interactor.swift"), "\(path) holds \(name)Interactor")
      // `run` emits errors of Core; an interactor that replaced it could let them through.
      #expect(!text.contains("public func run("), "\(path) replaces `run`")
    }
  }

  @Test func `The toolbox imports system modules and libcrypto only`() throws {
    let allowed: Set<Substring> = ["Synchronization", "Glibc", "CCrypto"]
    for (path, text) in try Self.sources(below: "Sources") where path.contains("/Toolbox/") {
      for module in Self.imports(of: text) {
        #expect(allowed.contains(module), "\(path) imports \(module)")
      }
    }
  }

  @Test func `Only DIContainer names the adapters`() throws {
    let adapters: Set<Substring> = [
      "NewsFiles", "NewsNetwork", "NewsPostgres", "NewsPrograms", "NewsSQLite", "NewsStoresShared",
      "NewsSyndication",
    ]
    for folder in ["Sources/newsd", "Sources/Interfaces", "Sources/Modules", "Sources/NewsService/Core"] {
      for (path, text) in try Self.sources(below: folder) {
        for module in Self.imports(of: text) {
          #expect(!adapters.contains(module), "\(path) imports \(module)")
        }
      }
    }
  }

  /// Folders whose code escapes, quotes, redacts or parses untrusted text. Code that iterates over Characters
  /// misses a character that is followed by a combining mark.
  private static let byteFolders = [
    "Sources/NewsService/Toolbox", "Sources/NewsService/Core/Entities", "Sources/NewsService/Core/URL",
    "Sources/NewsService/Core/Subscribing", "Sources/NewsService/Core/LogIn", "Sources/NewsService/HTTP",
    "Sources/NewsService/Core/Portability", "Sources/NewsService/Search/Language",
    "Sources/NewsService/Search/Matching", "Sources/NewsService/Search/Regex",
    "Sources/NewsService/Syndication/Lists", "Sources/NewsService/Stores/SQLite/Search", "/Formats/",
    "/Records/", "Sources/newsd/Daemon/Log/",
    "Sources/Interfaces/Web", "Sources/Interfaces/Sync",
  ]

  private static let characterWalks = [
    "for character in ", ".split(separator: \"", "firstIndex(of: \"", "lastIndex(of: \"",
    ".contains(character)", ".replacing(\"", "[Character]", ".hasPrefix(\"", ".hasSuffix(\"",
    "(_ character: Character",
  ]

  @Test func `Code that escapes or parses untrusted text does not iterate over Characters`() throws {
    var seen = 0
    for (path, text) in try Self.sources(below: "Sources") {
      guard Self.byteFolders.contains(where: path.contains) else { continue }
      seen += 1
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      where !line.contains("unicodeScalars") && !line.contains("utf8") {
        for walk in Self.characterWalks where line.contains(walk) {
          Issue.record("\(path):\(number + 1) has \(walk): use utf8, unicodeScalars or ASCIIText")
        }
      }
    }
    #expect(seen > 60)
  }

  @Test func `Each setting of a feed is stored, and can be typed`() {
    let stored = FeedSettings.fields.compactMap(\.setting)
    #expect(Set(stored) == Set(FeedSetting.allCases))
    #expect(Set(FeedSettingKey.all.map(\.name)) == Set(FeedSetting.allCases))
  }

  @Test func `An option takes a value in every command or in none`() {
    var shapes: [String: Bool] = [:]
    var letters: [Character: String] = [:]
    func take(_ options: [OptionSpec]) {
      for option in options {
        let takesValue = option.value != nil
        #expect(shapes[option.long, default: takesValue] == takesValue, "--\(option.long)")
        shapes[option.long] = takesValue
        guard let short = option.short else { continue }
        #expect(letters[short, default: option.long] == option.long, "-\(short)")
        letters[short] = option.long
      }
    }
    func walk(_ command: CommandSpec) {
      take(command.options)
      #expect(!command.subcommands.isEmpty || command.examples.count >= 2, "\(command.name) lacks examples")
      command.subcommands.forEach(walk)
    }
    take(CommandTable.globalOptions)
    CommandTable.commands.forEach(walk)
    #expect(CommandTable.commands.map(\.name) == CommandTable.entries.map(\.name))
  }
}
