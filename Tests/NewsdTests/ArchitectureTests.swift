import FoundationEssentials
import Testing

@testable import newsd

/// What the target graph cannot hold by itself.
@Suite struct Architecture {
  private static let root: String = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  /// A system library can be imported by any target that depends on it, and undeclared ones slip through.
  private static let wrappers = [
    "CCurl": "Sources/NewsService/Network", "CPSL": "Sources/NewsService/Network",
    "CMicroHTTPD": "Sources/NewsService/Network", "CUnpack": "Sources/NewsService/Network",
    "CLibXML2": "Sources/NewsService/Syndication",
    "CSQLite": "Sources/NewsService/Storage", "CYAML": "Sources/newsd/Configuration",
  ]

  private static func sources(below folder: String) throws -> [(path: String, text: String)] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")
    let files = try names.filter { $0.hasSuffix(".swift") }.map { name in
      let path = "\(folder)/\(name)"
      return (path, String(decoding: try ByteFile.read("\(root)/\(path)"), as: UTF8.self))
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

  @Test func `Core and the modules import nothing but what is inside them`() throws {
    let allowed: Set<Substring> = ["NewsCore", "Synchronization", "Glibc"]
    for folder in ["Sources/NewsService/Core", "Sources/Modules"] {
      for (path, text) in try Self.sources(below: folder) {
        for module in Self.imports(of: text) {
          #expect(allowed.contains(module), "\(path) imports \(module)")
        }
      }
    }
  }

  @Test func `A face imports the modules, the faces below it and no adapter`() throws {
    let inside: Set<Substring> = ["NewsCore", "Modules", "Synchronization", "Glibc"]
    let allowed: [String: Set<Substring>] = ["Text": inside, "Formats": inside.union(["NewsText"])]
    for (path, text) in try Self.sources(below: "Sources/Interfaces") {
      let face = try #require(path.split(separator: "/").dropFirst(2).first.map(String.init))
      for module in Self.imports(of: text) {
        #expect(allowed[face]?.contains(module) == true, "\(path) imports \(module)")
      }
    }
  }

  @Test func `Only DIContainer names the adapters`() throws {
    let adapters: Set<Substring> = ["NewsNetwork", "NewsPrograms", "NewsSyndication", "NewsStorage"]
    for folder in ["Sources/newsd", "Sources/Interfaces", "Sources/Modules", "Sources/NewsService/Core"] {
      for (path, text) in try Self.sources(below: folder) {
        for module in Self.imports(of: text) {
          #expect(!adapters.contains(module), "\(path) imports \(module)")
        }
      }
    }
  }

  @Test func `An option means the same shape in every command`() {
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
  }
}
