import DIContainer
import Glibc
import Modules
import NewsCore
import NewsFormats

extension CommandTable {
  static let webCommands = [Entry("web") { webCommand }]

  static let webCommand = CommandSpec(
    "web",
    "manage access to the web server of 'newsd run'",
    details: """
      The server is off until web.listen is set in the configuration. A store has one account; web.user sets
      its name (default: newsd). If accounts.dir or accounts.store is set, there are several, each with its
      own name and passwords; '--account NAME' says whose. The login password is for the page in a browser;
      each program that synchronizes gets an app password.
      """,
    defaultSubcommand: "status",
    subcommands: [webStatus, webPassword, webApps, webSessions, webLink]
  )

  private static let webStatus = CommandSpec(
    "status",
    "show the addresses at which newsd serves HTTP, and who may log in",
    options: OptionGroup.records(Tables.webStatus.names),
    needsStore: true,
    examples: [
      .init("newsd web", "show the addresses and who may log in"),
      .init("newsd web status --format json", "print the same for programs"),
    ],
    task: { _, _ in .run { try await $0.webStatus() } }
  )

  private static let webPassword = CommandSpec(
    "password",
    "set the login password: type it twice, or pass it as the first line of standard input",
    details: """
      Setting or removing the password ends all sessions. A new password must have at least 8 characters and
      not be among the most common ones. While no password is set, 'newsd run' writes an address to its log
      (event=setup) at which a browser can set it. If web.password_file is set, change the password there.
      """,
    options: [OptionSpec("remove", "remove the login password; keep app passwords")],
    changesStore: true,
    examples: [
      .init("newsd web password", "type the password"),
      .init("newsd web password < secret.txt", "read the password from a file"),
    ],
    task: { invocation, context in
      // At its next start, 'newsd run' would set the file's password again.
      if let file = context.settings.web.passwordFile {
        throw ConfigurationError(
          message: "web.password_file sets the login password; change it in \(file) and restart newsd"
        )
      }
      let password = invocation.has("remove") ? nil : try PasswordInput.read()
      return .run { try await $0.webPassword(password) }
    }
  )

  private static let webLink = CommandSpec(
    "link",
    "let a person at the OpenID provider log in to the account",
    details: """
      SUBJECT is the person's 'sub' at the provider of oidc.issuer. An account has one person at most.
      oidc.links_accounts links accounts without this command.
      """,
    options: [OptionSpec("remove", "end the link, and all sessions")],
    operands: [OperandSpec("SUBJECT", .optional)],
    needsStore: true,
    changesStore: true,
    examples: [
      .init("newsd web link 248289761001", "let this person log in"),
      .init("newsd web link --remove", "let another person be linked"),
    ],
    task: { invocation, _ in
      let subject = invocation.operands.first
      guard invocation.has("remove") == (subject == nil) else {
        throw UsageError("web link takes either SUBJECT or --remove", command: "web")
      }
      if let subject, !IDToken.isSubject(subject) {
        throw UsageError("a subject must have 1 to 255 bytes and no control characters", command: "web")
      }
      return .run { try await $0.webLink(subject) }
    }
  )

  private static let webApps = CommandSpec(
    "apps",
    "list app passwords; 'add NAME' makes one, 'remove NAME' revokes one",
    details: "newsd prints a new password once, alone on standard output, and keeps only hashes of it.",
    options: OptionGroup.records(Tables.appPasswords.names),
    operands: [
      OperandSpec("list|add|remove", .optional, completion: .words(["list", "add", "remove"])),
      OperandSpec("NAME", .optional),
    ],
    changesStore: .withOperand(2),
    examples: [
      .init("newsd web apps add phone", "create a password for the reader on the phone"),
      .init("newsd web apps remove phone", "revoke the password of a lost phone"),
      .init("newsd web apps", "list the names of the app passwords and when each was last used"),
    ],
    task: { invocation, _ in
      let words = invocation.operands
      let request: WebAppsRequest
      switch (words.first ?? "list", words.count) {
      case ("list", ...1): request = .list
      case ("add", 2): request = .add(name: try appName(words[1]))
      case ("remove", 2): request = .remove(name: words[1])
      default: throw UsageError("web apps takes list, add NAME or remove NAME", command: "web")
      }
      return .run { try await $0.webApps(request) }
    }
  )

  private static func appName(_ text: String) throws(UsageError) -> String {
    guard AppPassword.isName(text) else {
      throw UsageError("an app password's name \(AppPassword.nameRule)", command: "web")
    }
    return text
  }

  private static let webSessions = CommandSpec(
    "sessions",
    "list browsers that are logged in; 'remove N' logs one out",
    options: OptionGroup.records(Tables.webSessions.names),
    operands: [
      OperandSpec("list|remove", .optional, completion: .words(["list", "remove"])),
      OperandSpec("N", .optional),
    ],
    needsStore: true,
    changesStore: .withOperand(2),
    examples: [
      .init("newsd web sessions", "list the sessions with number, last request, address and browser"),
      .init("newsd web sessions remove 3", "log that browser out"),
    ],
    task: { invocation, _ in
      let words = invocation.operands
      switch (words.first ?? "list", words.count) {
      case ("list", ...1): return .run { try await $0.webSessions(.list) }
      case ("remove", 2):
        guard let id = Int64(words[1]) else {
          throw UsageError("a session's number is a whole number, not '\(words[1])'", command: "web")
        }
        return .run { try await $0.webSessions(.remove(id)) }
      default: throw UsageError("web sessions takes list or remove N", command: "web")
      }
    }
  )
}

/// Reads a new password: from a terminal twice without echo, otherwise the first line of standard input.
enum PasswordInput {
  /// Reads a new password, twice if it is typed.
  static func read() throws -> String {
    try silently { isTyped in
      guard isTyped else { return try firstLine() }
      let first = try prompt("New login password: ")
      guard try prompt("Again: ") == first else {
        throw UserMessage(code: .badData, text: "the two passwords differ; nothing was changed")
      }
      return first
    }
  }

  /// Reads a password; asks for it with `text` if it is typed.
  static func ask(_ text: String) throws -> String {
    try silently { isTyped in isTyped ? try prompt(text) : try firstLine() }
  }

  /// Reads a line, which is shown while it is typed. Prints `text` first if standard input is a terminal.
  static func line(_ text: String) throws -> String {
    if isatty(STDIN_FILENO) == 1 { _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) } }
    return try firstLine()
  }

  /// Turns the terminal's echo off and calls `body` with true. If standard input is not a terminal, only calls `body`
  /// with false.
  private static func silently(_ body: (_ isTyped: Bool) throws -> String) throws -> String {
    var before = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &before) == 0 else { return try body(false) }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
    return try body(true)
  }

  private static func prompt(_ text: String) throws -> String {
    _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    let line = try firstLine()
    _ = write(STDERR_FILENO, "\n", 1)
    return line
  }

  /// Reads byte by byte, so that the next line stays unread.
  private static func firstLine() throws -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count <= 4096 {
      let count = Glibc.read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count > 0, byte != UInt8(ascii: "\n") else { break }
      line.append(byte)
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }
}
