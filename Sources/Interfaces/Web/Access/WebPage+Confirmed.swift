import Glibc
import Modules
import NewsCore
import NewsHTTP
import Synchronization

// MARK: - Actions that ask for the login password again

extension WebPage {
  /// Checks the login password in a form: a stolen session alone must not suffice. Wrong passwords count as in the
  /// log-in. Returns a notice with the reason of the refusal; nil: the password is right.
  func refusal(_ request: HTTPRequest) async throws -> Notice? {
    guard logIn.ways.contains(.password), try await account.hasLoginPassword() else {
      return Notice(
        Wording.thisNeedsALoginPassword,
        kind: .failure
      )
    }
    let outcome = try await account.logIn(
      user: account.user,
      password: request.form.first("current") ?? "",
      address: request.address,
      agent: request.fields.first("User-Agent") ?? ""
    )
    switch outcome {
    case .granted(let (session, _)):
      _ = try await account.removeSession(session.id)
      return nil
    case .refused: return Notice(Wording.theLoginPasswordIsWrong, kind: .failure)
    case .blocked(let seconds):
      let minutes = max(1, (seconds + 59) / 60)
      return Notice(Wording.tooManyWrongPasswords(minutes), kind: .failure)
    case .busy: return Notice(Wording.tooManyLogInsAtOnce, kind: .failure)
    }
  }

  /// Changes the login password. This ends all sessions; the browser gets a new one.
  func changePassword(_ request: HTTPRequest, _ session: WebSession) async throws -> HTTPReply {
    if modules.isPasswordFixed {
      notices.post(Notice(AccessView.fixedPassword, kind: .failure), to: session.id)
      return PageReply.redirect(to: "/access", on: request.site)
    }
    if let notice = try await refusal(request) {
      notices.post(notice, to: session.id)
      return PageReply.redirect(to: "/access", on: request.site)
    }
    let password = request.form.first("new") ?? ""
    let module = try await modules.webPassword()
    let answer = await ModuleRun.last({ module }, password)
    if let failure = answer.failure { return fail(failure, request, session, to: "/access") }
    let outcome = try await account.logIn(
      user: account.user,
      password: password,
      address: request.address,
      agent: request.fields.first("User-Agent") ?? ""
    )
    guard case .granted(let (renewed, cookie)) = outcome else {
      return PageReply.redirect(to: "/login", on: request.site)
    }
    notices.forget(session.id)
    notices.post(Notice(Wording.loginPasswordIsChanged), to: renewed.id)
    return PageReply.redirect(to: "/access", on: request.site)
      .with("Set-Cookie", request.site.sessionCookie(cookie))
  }

  /// Sends a backup of the store.
  func sendBackup(_ request: HTTPRequest, _ session: WebSession) async throws -> HTTPReply {
    if let notice = try await refusal(request) {
      notices.post(notice, to: session.id)
      return PageReply.redirect(to: "/settings#backup", on: request.site)
    }
    guard backups.enter() else {
      return PageReply.text(503, Wording.anotherBackupIsDownloaded).with("Retry-After", "30")
    }
    let place = BackupDownload.Place(backups)
    guard let folder = BackupDownload.makeFolder() else {
      let text = Wording.cannotWriteATemporaryFile
      return fail(UserMessage(code: .cannotCreate, text: text), request, session, to: "/settings#backup")
    }
    defer { rmdir(folder) }
    let path = folder + "/newsd.db"
    let answer = await ModuleRun.last({ try modules.backup() }, path)
    let body = BackupDownload(path, place)
    if let failure = answer.failure { return fail(failure, request, session, to: "/settings#backup") }
    guard let body else {
      let failure = UserMessage(code: .internalError, text: Wording.theBackupCannotBeRead)
      return fail(failure, request, session, to: "/settings#backup")
    }
    let day = modules.times.now.rfc3339.prefix(10)
    let fields = HTTPFields([
      ("Content-Type", "application/vnd.sqlite3"),
      ("Content-Disposition", "attachment; filename=\"newsd-\(day).db\""),
    ])
    return PageReply.guarded(HTTPReply(status: 200, fields: fields, body: .stream(body)))
      .with("Cache-Control", "no-store")
  }
}

/// The bytes of a backup. Its file has no name any more while it is sent, so that nothing is left behind.
private final class BackupDownload: HTTPBodyStream {
  /// Keeps a place among the downloads that run at the same time, until it is released.
  final class Place: Sendable {
    private let slots: HandlerSlots

    init(_ slots: HandlerSlots) { self.slots = slots }

    deinit { slots.leave() }
  }

  private let place: Place
  private let descriptor: Int32
  private static let piece = 256 << 10

  var endsWithClient: Bool { true }

  /// Opens the file and removes it. Nil if there is none.
  init?(_ path: String, _ place: Place) {
    self.place = place
    descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    unlink(path)
    if descriptor < 0 { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  static func makeFolder() -> String? {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/newsd-backup-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func next() async throws -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.piece) { buffer, count in
      count = max(read(descriptor, buffer.baseAddress, Self.piece), 0)
    }
    return bytes.isEmpty ? nil : bytes
  }
}
