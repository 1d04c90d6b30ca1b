import Modules
import NewsCore
import NewsToolbox
import Synchronization

/// The import in progress or the last one, as pages show it and as the store keeps it.
struct ImportNote: Hashable, Sendable {
  enum State: String, Sendable { case running, done, failed, interrupted }

  var state = State.running
  /// What is imported: the name of a file, or the address of a server.
  var source: String
  /// What was typed, without the password.
  var server = ServerDraft()
  /// Number of items or lines so far.
  var done = 0
  /// The sentences of the result, or the reason of the failure.
  var lines: [String] = []
  /// The process that runs the import.
  var owner = ""
  /// The last sign of life of that process.
  var time: Timestamp

  private static let mostLines = 100

  /// What pages say about the import.
  var text: String {
    let source = DisplayText(line: source).string
    let number = done > 0 ? Wording.countedEntries(done) : ""
    switch state {
    case .running: return Wording.importingFrom(source, number)
    case .done: return Wording.importedFrom(source) + lines.joined(separator: "\n")
    case .failed: return Wording.theImportFromFailed(source) + lines.joined(separator: "\n")
    case .interrupted:
      return Wording.theImportFromWasInterrupted(source, number)
    }
  }

  mutating func end(_ state: State, _ lines: [String]) {
    self.state = state
    let more = lines.count - Self.mostLines
    self.lines = lines.prefix(Self.mostLines) + (more > 0 ? [Wording.andMoreLines(more)] : [])
  }
}

/// What was typed to import from a server.
struct ServerDraft: Hashable, Sendable {
  var address = ""
  var api = ServerAPI.greader.rawValue
  var user = ""
  var problem: UserMessage?
}

extension ImportNote {
  init?(_ text: String) {
    guard let value = JSONValue(valid: text), let state = value["state"]?.string.flatMap(State.init),
      let time = value["time"]?.integer
    else { return nil }
    func string(_ name: String) -> String { value[name]?.string ?? "" }
    self.init(
      state: state,
      source: string("source"),
      server: ServerDraft(address: string("address"), api: string("api"), user: string("user")),
      done: Int(clamping: value["done"]?.integer ?? 0),
      lines: (value["lines"]?.array ?? []).compactMap(\.string),
      owner: string("owner"),
      time: Timestamp(seconds: time)
    )
  }

  var json: String {
    var json = JSONWriter()
    json.beginObject()
    let texts = [
      ("state", state.rawValue), ("source", source), ("address", server.address), ("api", server.api),
      ("user", server.user), ("owner", owner),
    ]
    for (name, text) in texts {
      json.key(dynamic: name)
      json.value(text)
    }
    json.field("done", done)
    json.field("time", time.seconds)
    json.array("lines", lines) { json, line in json.value(line) }
    json.endObject()
    return json.string
  }
}

/// The threads of imports: reading a large file delays neither polls nor pages.
private let importThreads = TaskThreads(2)

/// Runs the imports that were started on the page, one at a time, also if several daemons share the store.
///
/// The store keeps the note of the last import, so that it survives a restart; a note without a sign of life is that of
/// an interrupted import. Owns the task: `close` cancels it.
final class ImportBoard: Sendable {
  typealias Work = @Sendable (@escaping Emit<Outcome>) async throws -> Void

  private struct State {
    var task: Task<Void, Never>?
    /// The note of this process's import.
    var note: ImportNote?
    /// The text that the store has.
    var kept: String?
    var version = 0
    var isBusy = false
    var isClosed = false
  }

  private let modules: any WebModules
  private let clock: any WallClock
  /// The interval of signs of life.
  private let beat: Duration
  private let owner = String(UInt64.random(in: .min ... .max), radix: 16)
  private let state = Mutex(State())
  /// The import of an account has one of the threads, so that those of another account have the other one.
  private let turns = TaskTurns(importThreads, most: 1)
  private static let place = "page"
  /// An import without a sign of life for this time counts as interrupted, in seconds.
  static let life: Int64 = 20

  init(modules: any WebModules, clock: any WallClock, beat: Duration = .seconds(5)) {
    self.modules = modules
    self.clock = clock
    self.beat = beat
  }

  /// The note of an import that this process runs or has run, and the number of its changes.
  var current: (note: ImportNote?, version: Int) { state.withLock { ($0.note, $0.version) } }

  var isRunning: Bool { state.withLock { $0.task != nil } }

  /// The import in progress or the last one, of any process.
  func note() async -> ImportNote? {
    if let note = state.withLock({ $0.task == nil ? nil : $0.note }) { return note }
    let kept = try? await modules.importPlaces().importPlace(of: Self.place)
    guard var note = kept.flatMap({ ImportNote($0) }) else { return nil }
    if note.state == .running, isDead(note) { note.state = .interrupted }
    return note
  }

  private func isDead(_ note: ImportNote) -> Bool {
    note.owner == owner || clock.now() - note.time >= Self.life
  }

  /// Starts an import. Returns false if one is running, here or in another process, and after `close`.
  func start(_ note: ImportNote, _ work: @escaping Work) async throws -> Bool {
    let isFree = state.withLock { state in
      guard state.task == nil, !state.isBusy, !state.isClosed else { return false }
      state.isBusy = true
      return true
    }
    guard isFree else { return false }
    defer { state.withLock { $0.isBusy = false } }
    let places = try modules.importPlaces()
    let kept = try await places.importPlace(of: Self.place)
    if let other = kept.flatMap({ ImportNote($0) }), other.state == .running, !isDead(other) { return false }
    var note = note
    note.owner = owner
    note.time = clock.now()
    let text = note.json
    guard try await places.replaceImportPlace(kept, by: text, of: Self.place) else { return false }
    return state.withLock { state in
      guard !state.isClosed else { return false }
      state.note = note
      state.kept = text
      state.version += 1
      state.task = Task(executorPreference: turns) { await self.run(work) }
      return true
    }
  }

  /// Ends the import in progress.
  func stop() { state.withLock { $0.task }?.cancel() }

  /// Forgets the last import, unless one is running.
  func dismiss() async throws {
    guard let kept = try await modules.importPlaces().importPlace(of: Self.place) else { return }
    if let note = ImportNote(kept), note.state == .running, !isDead(note) { return }
    if state.withLock({ $0.task }) != nil { return }
    _ = try await modules.importPlaces().replaceImportPlace(kept, by: nil, of: Self.place)
  }

  /// Ends the import in progress, and accepts no other. Waits for its last transaction for two seconds at most.
  func close() async {
    let task = state.withLock { state in
      state.isClosed = true
      return state.task
    }
    task?.cancel()
    for _ in 0..<40 where state.withLock({ $0.task }) != nil { try? await Task.sleep(for: .milliseconds(50)) }
  }

  /// Waits for the end of the import in progress.
  func finish() async { await state.withLock { $0.task }?.value }

  private func run(_ work: Work) async {
    let heart = Task {
      while (try? await Task.sleep(for: beat)) != nil { await keep() }
    }
    do {
      try await work { self.take($0) }
      if Task.isCancelled { end(.interrupted) }
    } catch {
      if Task.isCancelled {
        end(.interrupted)
      } else {
        end(.failed, [PageText.withoutCommands(ModuleRun.message(of: error).text)])
      }
    }
    heart.cancel()
    await heart.value
    // The task may be cancelled, which must not keep the last note out of the store.
    await Task { await keep() }.value
    state.withLock { $0.task = nil }
  }

  private func take(_ container: Container<Outcome>) {
    switch container.phase {
    case .loading(let progress): change { $0.done = max($0.done, progress.done) }
    case .ready:
      let content = container.content
      let lines = (content?.warnings ?? []) + (content?.notes ?? [])
      end(.done, lines.map { PageText.withoutCommands($0.string) })
    case .failed(let message): end(.failed, [PageText.withoutCommands(message.clientText)])
    }
  }

  private func end(_ end: ImportNote.State, _ lines: [String] = []) {
    change { $0.end(end, lines.map { DisplayText(line: $0).string }) }
  }

  private func change(_ body: (inout ImportNote) -> Void) {
    state.withLock { state in
      guard var note = state.note else { return }
      body(&note)
      guard note != state.note else { return }
      state.note = note
      state.version += 1
    }
  }

  /// Writes the note into the store, with the present time.
  private func keep() async {
    let now = clock.now()
    let (text, old) = state.withLock { state in
      state.note?.time = now
      return (state.note?.json, state.kept)
    }
    guard let text, text != old,
      (try? await modules.importPlaces().replaceImportPlace(old, by: text, of: Self.place)) == true
    else { return }
    state.withLock { $0.kept = text }
  }
}
