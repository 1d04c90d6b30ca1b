import Modules
import NewsCore
import NewsHTTP
import NewsToolbox

// MARK: - Moving in

extension WebPage {
  /// Maximum size of an uploaded file in bytes. All bodies in transfer may have 56 MiB (`HTTPServerConfiguration`).
  static let uploadLimit = 48 << 20

  /// Shows the import in progress and the forms. `draft` is what was typed for a server, `problem` why a file was refused.
  func showImport(
    _ request: HTTPRequest,
    _ session: WebSession,
    draft: ServerDraft? = nil,
    problem: UserMessage? = nil
  ) async -> HTTPReply {
    let note = await imports.note()
    // An interrupted import continues with what was typed for it.
    let draft = draft ?? (note?.state == .interrupted ? note?.server : nil) ?? ServerDraft()
    let context = await context(request, session)
    let view = ImportView(
      note: note,
      isLive: imports.isRunning,
      draft: draft,
      problem: problem,
      context: context
    )
    let bytes = PageFrame(title: Wording.importTitle, place: .feeds).render(context) {
      view.render(into: &$0)
    }
    return PageReply.html(bytes, status: Self.status(draft.problem ?? problem))
  }

  /// Performs POST requests below `/import`.
  func actOnImport(_ request: HTTPRequest, _ session: WebSession) async throws -> HTTPReply {
    switch request.path.dropFirst().first {
    case nil: return try await importServer(request, session)
    case "stop": imports.stop()
    case "dismiss": try await imports.dismiss()
    default: return PageReply.text(404, Wording.thereIsNothingToDo)
    }
    return PageReply.redirect(to: "/import", on: request.site)
  }

  private func importServer(_ request: HTTPRequest, _ session: WebSession) async throws -> HTTPReply {
    var draft = ServerDraft()
    let address = String((request.form.first("address") ?? "").trimmingBlanks)
    draft.address = address
    draft.api = request.form.first("api") ?? ""
    draft.user = request.form.first("user") ?? ""
    let password = request.form.first("password") ?? ""
    func refuse(_ text: String) async -> HTTPReply {
      draft.problem = UserMessage(code: .usage, text: text)
      return await showImport(request, session, draft: draft)
    }
    guard let api = ServerAPI(rawValue: draft.api) else { return await refuse(Wording.chooseAProtocol) }
    guard FeedURLKind(draft.address) == .web, draft.address.utf8.count <= 2048 else {
      return await refuse(Wording.theAddressMustBeOnTheWeb)
    }
    guard !draft.user.isEmpty || api == .miniflux else {
      return await refuse(Wording.thisProtocolNeedsAName)
    }
    guard !password.isEmpty else { return await refuse(Wording.typeThePasswordOrToken) }
    guard [draft.user, password].allSatisfy(FeedSettings.isSendable) else {
      return await refuse(Wording.noControlCharacters)
    }
    let credentials = ServerCredentials(user: draft.user.isEmpty ? nil : draft.user, password: password)
    let source = WebAddress.redacted(draft.address)
    draft.address = source
    let note = ImportNote(source: source, server: draft, time: modules.times.now)
    let isStarted = try await imports.start(note) { [modules] emit in
      try await modules.importFrom(address, api, credentials, emit: emit)
    }
    guard isStarted else { return await refuse(Self.isImporting) }
    return PageReply.redirect(to: "/import", on: request.site)
  }

  private static let isImporting = Wording.anImportIsRunning

  /// Imports a file with items.
  func importItems(_ file: HTTPUpload, _ request: HTTPRequest, _ session: WebSession) async throws
    -> HTTPReply
  {
    // Browsers of old times sent the path.
    let last = file.fileName.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    let name = last.isEmpty ? Wording.theFile : DisplayText(line: last).string
    let note = ImportNote(source: name, time: modules.times.now)
    let isStarted = try await imports.start(note) { [modules] emit in
      try await modules.importFile(file.bytes, named: name).run((name, nil, false), emit: emit)
    }
    guard isStarted else {
      let problem = UserMessage(code: .usage, text: Self.isImporting)
      return await showImport(request, session, problem: problem)
    }
    return PageReply.redirect(to: "/import", on: request.site)
  }
}
