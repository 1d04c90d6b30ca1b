import DIContainer
import Glibc
import Modules
import NewsTerminal
import NewsToolbox

/// The command line inside the reader: routes with a screen open in the reader, other commands run as in a
/// shell.
struct ReaderCommandLine: ReaderCommands {
  let context: CommandContext
  private let configurator: Configurator
  /// Options such as `--db`, which are passed on to other commands.
  let globalWords: [String]

  init(context: CommandContext, invocation: Invocation) throws {
    self.context = context
    configurator = try context.configurator(invocation)
    globalWords =
      CommandTable.globalOptions.filter { ["config", "db", "account"].contains($0.long) }
      .flatMap { option in invocation.values(option.long).flatMap { ["--\(option.long)", $0] } }
  }

  func read(_ line: String) async throws -> ReaderCommand {
    let words: [String]
    do {
      words = try CommandWords.split(line)
    } catch {
      throw UserMessage(code: .usage, text: error.message)
    }
    do {
      let parser = ArgumentParser(table: CommandTable.entries, globalOptions: CommandTable.globalOptions)
      let invocation = try parser.parse(words)
      let isPlain = !["format", "template", "template-file", "cursor"].contains { invocation.has($0) }
      if isPlain, let action = CommandTable.command(invocation.path)?.action,
        case .open(let route) = try action(invocation, context), ReaderState.opens(route)
      {
        return .route(route)
      }
    } catch let error as UsageError {
      throw UserMessage(code: .usage, text: error.message)
    } catch let error as UserMessage {
      throw UserMessage(code: .usage, text: error.text)
    }
    return .program(
      ForegroundCall(words: [Self.executable] + globalWords + words, pauses: true, isNewsd: true)
    )
  }

  func completions(of line: String) async -> [String] {
    // The last word is completed; it is empty after a space.
    var words = line.utf8.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    if line.utf8.last == UInt8(ascii: " ") || words.isEmpty { words.append("") }
    guard let last = words.last else { return [] }
    guard let route = try? await candidates(globalWords + words) else { return [] }
    return route.filter { $0.utf8.starts(with: last.utf8) }
  }

  /// Candidates for the last word, quoted where necessary; file names are not completed.
  private func candidates(_ words: [String]) async throws -> [String] {
    let request = CommandTable.completions(of: words).request
    let found = try await configurator.candidates(request)
    return found.candidates.map { candidate in
      if case .names = request { return found.prefix + CommandWords.quoted(candidate.text) }
      return found.prefix + candidate.text
    }
  }

  /// The path of this program's own file.
  private static var executable: String {
    guard let path = realpath("/proc/self/exe", nil) else { return "newsd" }
    defer { free(path) }
    return String(cString: path)
  }
}
