import Glibc
public import Modules
public import NewsCore
public import NewsText
import NewsToolbox
import Synchronization

/// A Maildir (https://cr.yp.to/proto/maildir.html).
///
/// Delivers each message once: records the ids of delivered messages in a file, so that a message that was read and
/// removed is not delivered again.
public final class Maildir: Sendable {
  private struct State {
    var delivered: Set<UInt128>
    /// Lines to append to the list of delivered ids. The directory entries of these messages may not be on disk
    /// yet.
    var noted: [UInt8] = []
  }

  private static let listName = ".newsd-delivered"
  /// `noted` is flushed at this size: some 250 messages.
  private static let notedSize = 8 << 10

  private let list: Int32
  /// The folders, opened once: their names may lead elsewhere later.
  private let drafts: Int32
  private let new: Int32
  private let current: Int32
  private let state: Mutex<State>

  /// Creates the directory and its parents if they are missing. Another user may write to the directory too: follows no
  /// links in it, and creates new files only.
  public init(path: String) throws(UserMessage) {
    Self.makeParents(of: path)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw Self.message("create the directory \(path)")
    }
    let root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0 else { throw Self.message("open the directory \(path)") }
    defer { close(root) }
    var opened: [Int32] = []
    do throws(UserMessage) {
      for name in ["tmp", "new", "cur"] {
        guard mkdirat(root, name, 0o700) == 0 || errno == EEXIST else {
          throw Self.message("create the directory \(path)/\(name)")
        }
        opened.append(openat(root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
        guard opened.last ?? -1 >= 0 else { throw Self.message("open the directory \(path)/\(name)") }
      }
      // O_NONBLOCK: opening a pipe must not block. It has no effect on regular files.
      let flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
      opened.append(openat(root, Self.listName, flags, 0o600))
      var status = stat()
      guard let list = opened.last, list >= 0, fstat(list, &status) == 0 else {
        throw Self.message("open \(path)/\(Self.listName)")
      }
      guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
        throw Self.message("open \(path)/\(Self.listName)", "not a regular file with one name")
      }
    } catch {
      for descriptor in opened where descriptor >= 0 { close(descriptor) }
      throw error
    }
    (drafts, new, current, list) = (opened[0], opened[1], opened[2], opened[3])
    state = Mutex(State(delivered: Self.readList(list)))
  }

  deinit {
    // Record the messages that an interrupted run has delivered.
    try? finish()
    for descriptor in [list, drafts, new, current] { close(descriptor) }
  }

  public func hasDelivered(_ id: String) -> Bool {
    guard let number = UInt128(id, radix: 16) else { return false }
    return state.withLock { $0.delivered.contains(number) }
  }

  public func deliver(
    _ message: [UInt8],
    id: String,
    time: Timestamp,
    isSeen: Bool,
    isFlagged: Bool
  ) throws(OutputError) {
    // The name depends only on the item: a second process that delivers the same item writes the same file.
    let name = "\(time.seconds).newsd-\(id).localhost"
    let flags = (isFlagged ? "F" : "") + (isSeen ? "S" : "")
    let (folder, target) = flags.isEmpty ? (new, name) : (current, "\(name):2,\(flags)")
    let draft = "\(name).\(getpid()).\(UInt64.random(in: 0 ... .max))"
    let file = openat(drafts, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .failed(errno) }
    defer { close(file) }
    do throws(OutputError) {
      try DescriptorWriter(descriptor: file).write(message)
      // A file in `new` must be a complete message even after a crash.
      guard fsync(file) == 0 else { throw .failed(errno) }
    } catch {
      unlinkat(drafts, draft, 0)
      throw error
    }
    guard renameat(drafts, draft, folder, target) == 0 else {
      let code = errno
      unlinkat(drafts, draft, 0)
      throw .failed(code)
    }
    let isFull = state.withLock { state in
      if let number = UInt128(id, radix: 16) { state.delivered.insert(number) }
      state.noted += Array("\(id)\n".utf8)
      return state.noted.count >= Self.notedSize
    }
    if isFull { try finish() }
  }

  /// Syncs the directories before the list, so that the list names no lost message. Runs once for many messages,
  /// because each sync waits for the disk.
  public func finish() throws(OutputError) {
    let noted = state.withLock { state in
      defer { state.noted = [] }
      return state.noted
    }
    guard !noted.isEmpty else { return }
    for directory in [new, current] {
      // Some file systems do not support fsync on directories (EINVAL) and do not need it.
      guard fsync(directory) == 0 || errno == EINVAL else { throw .failed(errno) }
    }
    try DescriptorWriter(descriptor: list).write(noted)
    guard fsync(list) == 0 else { throw .failed(errno) }
  }

  private static func makeParents(of path: String) {
    var parent = path.hasPrefix(bytesOf: "/") ? "" : "."
    for part in path.split(ascii: "/").dropLast() {
      parent += "/\(part)"
      mkdir(parent, 0o700)
    }
  }

  private static func readList(_ descriptor: Int32) -> Set<UInt128> {
    var known = Set<UInt128>()
    var number: UInt128 = 0
    var digits = 0
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return known }
      for byte in chunk[..<count] {
        if let digit = Character(Unicode.Scalar(byte)).hexDigitValue {
          number = number << 4 | UInt128(digit)
          digits += 1
        } else {
          // Ignore a line that a crash truncated.
          if digits == 32 { known.insert(number) }
          number = 0
          digits = 0
        }
      }
    }
  }

  private static func message(_ attempt: String, _ reason: String = SystemError.last.reason) -> UserMessage {
    UserMessage(
      code: .cannotCreate,
      text: "cannot \(attempt): \(reason). Give --output another directory."
    )
  }
}
