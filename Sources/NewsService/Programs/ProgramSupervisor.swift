import CSpawn
import Glibc
import NewsCore
import NewsToolbox
import Synchronization

/// Runs and supervises one program on a dedicated thread.
final class ProgramSupervisor: Sendable {
  /// Milliseconds between SIGTERM and SIGKILL.
  private static let killDelay = 2_000
  private static let errorBytes = 4 << 10

  let isCancelled = Atomic(false)
  private let call: ProgramCall
  private let withheld: Set<String>
  private let finish: @Sendable (ProgramResult) -> Void

  /// Prepares to run a program. The program does not inherit the environment variables `withheld`. `finish`
  /// is called exactly once.
  init(
    _ call: ProgramCall,
    withholding withheld: Set<String>,
    finish: @escaping @Sendable (ProgramResult) -> Void
  ) {
    self.call = call
    self.withheld = withheld
    self.finish = finish
  }

  /// Runs the program on a dedicated thread.
  func start() {
    do {
      try DetachedThread.start { self.finish(self.run()) }
    } catch {
      finish(ProgramResult(end: .notStarted(error.reason)))
    }
  }

  private func run() -> ProgramResult {
    if isCancelled.load(ordering: .acquiring) { return ProgramResult(end: .cancelled) }
    // Block SIGPIPE, which would end newsd. Writing to a program that has closed its input then fails with EPIPE.
    var closedPipe = sigset_t()
    sigemptyset(&closedPipe)
    sigaddset(&closedPipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &closedPipe, nil)
    var child: ChildProcess
    do {
      child = try ChildProcess(
        call.words,
        capturesOutput: call.outputBytes != nil,
        withholding: withheld,
        adding: call.environment
      )
    } catch {
      return ProgramResult(end: .notStarted(error.reason))
    }
    var result = ProgramResult(end: .exited(status: 0))
    var sent = 0
    var pause: Int32 = 1
    let start = Self.now()
    /// The reason why the program must end. `terminateTime` is when to send SIGTERM, `killTime` when to send SIGKILL.
    var stopReason: ProgramResult.End?
    var terminateTime: Int?
    var killTime: Int?
    var cancelTime: Int?
    while true {
      send(&child, &sent)
      if receive(&child, &result), stopReason == nil {
        stopReason = .tooMuchOutput
        terminateTime = Self.now()
      }
      if let status = child.reap() {
        _ = receive(&child, &result)
        result.end = stopReason ?? Self.end(status)
        break
      }
      let now = Self.now()
      if stopReason == nil, let timeout = call.timeout, now - start >= timeout {
        stopReason = .timedOut
        terminateTime = now
      }
      if stopReason == nil, isCancelled.load(ordering: .acquiring) {
        let asked = cancelTime ?? now
        cancelTime = asked
        if now - asked >= call.grace {
          stopReason = .cancelled
          terminateTime = now
        }
      }
      if let time = terminateTime {
        child.signal(SIGTERM)
        killTime = time + Self.killDelay
        terminateTime = nil
      }
      if let time = killTime, now >= time { child.signal(SIGKILL) }
      wait(child, sent, pause)
      // Polls with exponential backoff.
      pause = min(pause * 2, 50)
    }
    // Also kill processes that a stopped program left in its group.
    if stopReason != nil { child.signal(SIGKILL) }
    for descriptor in [child.input, child.output, child.errors] where descriptor >= 0 { close(descriptor) }
    return result
  }

  private static func end(_ status: Int32) -> ProgramResult.End {
    let signal = status & 0x7F
    return signal == 0 ? .exited(status: (status >> 8) & 0xFF) : .signalled(signal)
  }

  /// Writes as much as the pipe accepts. EPIPE is ignored: a program need not read its input.
  private func send(_ child: inout ChildProcess, _ sent: inout Int) {
    while child.input >= 0 {
      guard sent < call.input.count else {
        close(child.input)
        child.input = -1
        return
      }
      let count = call.input.withUnsafeBytes {
        Glibc.write(child.input, $0.baseAddress?.advanced(by: sent), $0.count - sent)
      }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        sent = call.input.count
      }
    }
  }

  /// Reads the available output. Returns true if the output exceeds its limit.
  private func receive(_ child: inout ChildProcess, _ result: inout ProgramResult) -> Bool {
    let limit = call.outputBytes ?? 0
    let isOverfull = Self.drain(&child.output, into: &result.output, limit: limit)
    _ = Self.drain(&child.errors, into: &result.errors, limit: Self.errorBytes)
    return isOverfull
  }

  private static func drain(_ descriptor: inout Int32, into bytes: inout [UInt8], limit: Int) -> Bool {
    guard descriptor >= 0 else { return false }
    var isOverfull = false
    return withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
      while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          if count == 0 {
            close(descriptor)
            descriptor = -1
          }
          return isOverfull
        }
        let room = max(limit - bytes.count, 0)
        bytes.append(contentsOf: buffer[..<min(count, room)])
        if count > room {
          isOverfull = true
          return true
        }
      }
    }
  }

  private func wait(_ child: ChildProcess, _ sent: Int, _ milliseconds: Int32) {
    var polls: [pollfd] = []
    if child.input >= 0 { polls.append(pollfd(fd: child.input, events: Int16(POLLOUT), revents: 0)) }
    for descriptor in [child.output, child.errors] where descriptor >= 0 {
      polls.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }
    _ = poll(&polls, nfds_t(polls.count), milliseconds)
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
