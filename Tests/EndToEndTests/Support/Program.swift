import FoundationEssentials
import Glibc
import Testing

/// Runs the built newsd as a process with a separate environment.
struct Program {
  /// The result of a run.
  struct Result: Sendable {
    /// Exit status; 128 plus the signal's number after a signal.
    var status: Int32
    var output: String
    var errors: String
    var lines: [Substring] { output.split(separator: "\n") }
  }

  struct Failure: Error {
    var message: String
  }

  /// Path of newsd: beside the test bundle, where SwiftPM puts every product of a build.
  static let path: String = {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBufferPointer {
      $0.baseAddress.map {
        readlink("/proc/self/exe", UnsafeMutableRawPointer($0).assumingMemoryBound(to: CChar.self), 4096)
      } ?? 0
    }
    let own = String(decoding: buffer[..<max(count, 0)], as: UTF8.self)
    return own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/newsd"
  }()

  var environment: [String: String]
  /// The program to run: newsd, or a tool that a test needs.
  var executable = Program.path

  /// Runs newsd with store, configuration and home below `directory`, so that it touches no file of the user.
  init(in directory: TemporaryDirectory, environment: [String: String] = [:]) {
    self.environment = [
      "HOME": directory.path, "PATH": "/usr/bin:/bin", "NEWSD_DB": directory.path + "/newsd.db",
      "LC_ALL": "C.UTF-8",
      "TZ": "UTC",
    ].merging(environment) { $1 }
  }

  /// Runs until the program ends. Kills it after `seconds` and throws.
  func run(_ arguments: String..., input: String = "", seconds: Int = 60) throws -> Result {
    try run(arguments, input: input, seconds: seconds)
  }

  func run(_ arguments: [String], input: String = "", seconds: Int = 60) throws -> Result {
    let running = try start(arguments)
    return try running.finish(input: input, seconds: seconds)
  }

  /// Runs another program in the same environment.
  func run(program: String, _ arguments: [String]) throws -> Result {
    var other = self
    other.executable = "/usr/bin/env"
    return try other.run([program] + arguments)
  }

  /// Starts the program and returns at once; the caller ends it with `finish`.
  func start(_ arguments: [String]) throws -> RunningProgram {
    var input: [Int32] = [0, 0]
    var output: [Int32] = [0, 0]
    var errors: [Int32] = [0, 0]
    // Use socket pairs instead of pipes: they can be created close-on-exec, so that programs of concurrent tests do
    // not keep them open.
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &input) == 0, socketpair(AF_UNIX, type, 0, &output) == 0,
      socketpair(AF_UNIX, type, 0, &errors) == 0
    else {
      throw Failure(message: "socketpair: \(String(cString: strerror(errno)))")
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input[0], 0)
    posix_spawn_file_actions_adddup2(&actions, output[1], 1)
    posix_spawn_file_actions_adddup2(&actions, errors[1], 2)
    var words: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var pid: pid_t = 0
    let status = posix_spawn(&pid, executable, &actions, nil, &words, &variables)
    close(input[0])
    close(output[1])
    close(errors[1])
    guard status == 0 else {
      [input[1], output[0], errors[0]].forEach { close($0) }
      throw Failure(message: "\(executable): \(String(cString: strerror(status)))")
    }
    return RunningProgram(pid: pid, input: input[1], output: output[0], errors: errors[0])
  }
}

/// A running newsd.
final class RunningProgram {
  let pid: pid_t
  private var input: Int32
  private var descriptors: [Int32]
  private var received: [[UInt8]] = [[], []]
  private var isReaped = false

  init(pid: pid_t, input: Int32, output: Int32, errors: Int32) {
    self.pid = pid
    self.input = input
    descriptors = [output, errors]
  }

  deinit {
    if !isReaped {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    if input >= 0 { close(input) }
    for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
  }

  var output: String { String(decoding: received[0], as: UTF8.self) }
  var errors: String { String(decoding: received[1], as: UTF8.self) }

  /// Standard output as bytes.
  var outputBytes: [UInt8] { received[0] }

  /// Sends bytes and keeps the input open. The socket's buffer must have room for all of them.
  func write(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { Glibc.send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// Ends its input.
  func closeInput() {
    close(input)
    input = -1
  }

  /// Closes the read end of its output, as `head` does.
  func closeOutput() {
    close(descriptors[0])
    descriptors[0] = -1
  }

  /// True if the program has closed both outputs, as it does when it ends. Waits up to 50 ms.
  var hasEnded: Bool { !read(milliseconds: 50) }

  func send(signal: Int32) { kill(pid, signal) }

  /// Reads output until `condition` holds or the time is up; returns whether it holds.
  func wait(seconds: Int = 20, until condition: (RunningProgram) -> Bool) -> Bool {
    let end = Self.now() + seconds * 1000
    while !condition(self) {
      guard Self.now() < end, read(milliseconds: 50) else { return condition(self) }
    }
    return true
  }

  /// Sends the input, reads all output and waits until the program ends.
  func finish(input text: String = "", seconds: Int = 60) throws -> Program.Result {
    let end = Self.now() + seconds * 1000
    // The input must fit in the socket's buffer.
    write(Array(text.utf8))
    if input >= 0 { closeInput() }
    while read(milliseconds: 50) {
      if Self.now() > end {
        kill(pid, SIGKILL)
        throw Program.Failure(message: "still running after \(seconds) s; it printed: \(output)\(errors)")
      }
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    isReaped = true
    let signal = status & 0x7F
    return Program.Result(
      status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
      output: output,
      errors: errors
    )
  }

  /// Returns false when both streams have ended.
  private func read(milliseconds: Int32) -> Bool {
    var polls = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&polls, nfds_t(polls.count), milliseconds) > 0 else { return true }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var ended = descriptors.count { $0 < 0 }
    for (index, poll) in polls.enumerated() where poll.revents != 0 {
      let count = Glibc.read(descriptors[index], &buffer, buffer.count)
      if count > 0 { received[index].append(contentsOf: buffer[..<count]) } else { ended += 1 }
    }
    return ended < descriptors.count
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}

/// A temporary directory that is removed at the end of the test.
final class TemporaryDirectory {
  let path: String

  init() {
    var template = Array("/tmp/newsd-test-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
    }
    precondition(!path.isEmpty, "no temporary directory")
  }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ text: String, to name: String) -> String {
    let file = path + "/" + name
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    let bytes = Array(text.utf8)
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    precondition(count == bytes.count, "cannot write \(file)")
    return file
  }

  /// Writes an executable script and returns its path.
  ///
  /// Another process writes it: a program that a concurrent test starts would inherit a descriptor of this process, and
  /// until it is closed, Linux refuses to run the script (ETXTBSY).
  @discardableResult
  func writeScript(_ text: String, to name: String) throws -> String {
    let file = path + "/" + name
    var shell = Program(in: self)
    shell.executable = "/bin/sh"
    let result = try shell.run("-c", "cat > \"$0\" && chmod 755 \"$0\"", file, input: "#!/bin/sh\n" + text)
    guard result.status == 0 else { throw Program.Failure(message: "\(file): \(result.errors)") }
    return file
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
