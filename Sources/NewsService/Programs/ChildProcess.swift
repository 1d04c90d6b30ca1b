import CSpawn
import Glibc
import NewsCore
import NewsToolbox

/// A child process in its own process group, with pipes to its standard streams.
///
/// The functions that call CSpawn are not inlined: each object file that calls them would have its own table of groups.
struct ChildProcess {
  let pid: pid_t
  /// This process's ends of the pipes; -1: no pipe, or closed.
  var input: Int32
  var output: Int32
  var errors: Int32

  struct Failure: Error {
    var reason: String
    init(_ code: Int32) { reason = SystemError(code: code).reason }
  }

  /// Starts the program. It inherits only the descriptors 0, 1 and 2, and is killed when the thread that
  /// started it ends. With `capturesOutput`, output and errors are captured; otherwise the program inherits those of
  /// newsd. It does not inherit the environment variables `withheld`.
  @inline(never)
  init(
    _ words: [String],
    capturesOutput: Bool,
    withholding withheld: Set<String>,
    adding added: [String: String] = [:]
  ) throws(Failure) {
    var pipes = Pipes()
    defer { pipes.closeChildEnds() }
    do {
      input = try pipes.make(for: 0)
      output = capturesOutput ? try pipes.make(for: 1) : -1
      errors = capturesOutput ? try pipes.make(for: 2) : -1
    } catch {
      pipes.closeOwnEnds()
      throw error
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    let own: [UnsafeMutablePointer<CChar>?] = added.map { strdup("\($0)=\($1)") }
    defer { for variable in own { free(variable) } }
    var variables = own + ChildEnvironment.inherited(withholding: withheld.union(added.keys))
    var descriptors: [Int32] = [-1, -1, -1]
    for (child, descriptor) in pipes.childEnds { descriptors[Int(child)] = descriptor }
    var pid: pid_t = 0
    let status = newsd_spawn(&pid, &arguments, &variables, &descriptors)
    guard status == 0 else {
      pipes.closeOwnEnds()
      throw Failure(status)
    }
    self.pid = pid
    newsd_hold_group(pid)
  }

  /// Sends a signal to the program's process group.
  func signal(_ signal: Int32) {
    kill(-pid, signal)
  }

  /// Returns the wait status; nil while the program runs.
  @inline(never)
  func reap() -> Int32? {
    var status: Int32 = 0
    while true {
      let found = waitpid(pid, &status, WNOHANG)
      if found == pid {
        newsd_release_group(pid)
        return status
      }
      // ECHILD: another caller has read the status, so the program has ended.
      if found < 0, errno != EINTR {
        newsd_release_group(pid)
        return 0
      }
      if found == 0 { return nil }
    }
  }

  private struct Pipes {
    /// The descriptor's number in the child, and its number in this process.
    var childEnds: [(child: Int32, descriptor: Int32)] = []
    var ownEnds: [Int32] = []

    mutating func make(for child: Int32) throws(Failure) -> Int32 {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw Failure(errno) }
      for index in ends.indices {
        // Move the pipe's ends to higher numbers: if newsd's own descriptors 0 to 2 are closed, the pipe may have one
        // of these numbers, which the child needs.
        let moved = fcntl(ends[index], F_DUPFD_CLOEXEC, 3)
        close(ends[index])
        ends[index] = moved
      }
      guard ends.allSatisfy({ $0 >= 0 }) else {
        for end in ends where end >= 0 { close(end) }
        throw Failure(EMFILE)
      }
      // The child reads from descriptor 0 and writes to 1 and 2.
      let (own, other) = child == 0 ? (ends[1], ends[0]) : (ends[0], ends[1])
      _ = fcntl(own, F_SETFL, O_NONBLOCK)
      childEnds.append((child, other))
      ownEnds.append(own)
      return own
    }

    func closeChildEnds() { for end in childEnds { close(end.descriptor) } }
    func closeOwnEnds() { for end in ownEnds { close(end) } }
  }
}

extension ChildEnvironment {
  /// Returns newsd's environment without the variables that `withholds` names, and without `names`, terminated by nil as
  /// exec requires.
  fileprivate static func inherited(withholding names: Set<String>) -> [UnsafeMutablePointer<CChar>?] {
    var entries: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let entry = next.pointee {
      let length = strcspn(entry, "=")
      let name = String(
        decoding: UnsafeRawBufferPointer(start: entry, count: length),
        as: UTF8.self
      )
      let value = String(cString: entry + length + (entry[length] == 0 ? 0 : 1))
      if !withholds(name, value), !names.contains(name) { entries.append(entry) }
      next += 1
    }
    return entries + [nil]
  }
}
