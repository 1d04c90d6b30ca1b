import DIContainer
import NewsCore

extension CommandTable {
  /// Reads the options of `import --from`.
  static func importFrom(
    _ address: String,
    _ invocation: Invocation,
    _ context: CommandContext
  ) throws -> CommandTask {
    guard invocation.operands.isEmpty, !invocation.has("feed"), !invocation.has("trust") else {
      throw UsageError("--from takes neither a file nor --feed nor --trust", command: "import")
    }
    guard let api = try invocation.choice("api", of: ServerAPI.self) else {
      throw UsageError("--from needs --api greader, miniflux or fever", command: "import")
    }
    guard FeedURLKind(address) == .web else {
      throw UsageError("--from takes an address that begins with http:// or https://", command: "import")
    }
    let user = invocation.value("user")
    guard user != nil || api == .miniflux else {
      throw UsageError("--api \(api.rawValue) needs --user NAME", command: "import")
    }
    let password: String
    if let path = invocation.value("password-file") {
      let bytes = try InputFile.read(path)
      password = String(
        decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") },
        as: UTF8.self
      )
    } else {
      password =
        try context.environment["NEWSD_IMPORT_PASSWORD"] ?? PasswordInput.ask("Password for the server: ")
    }
    let what = [user ?? "", password]
    guard !password.isEmpty, what.allSatisfy(FeedSettings.isSendable) else {
      throw UsageError(
        "name and password must not contain control characters, and the password must not be empty",
        command: "import"
      )
    }
    let credentials = ServerCredentials(user: user, password: password)
    return .run { try await $0.importFrom(address, api, credentials) }
  }
}
