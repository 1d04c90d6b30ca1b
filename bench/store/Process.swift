import Glibc

/// Returns the milliseconds from start to exit of a program, the best of several runs; nil when it failed.
func time(_ command: [String], runs: Int) -> Double? {
  var shortest = Double.infinity
  for _ in 0..<runs {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    let clock = ContinuousClock()
    let start = clock.now
    var child: pid_t = 0
    guard posix_spawnp(&child, command[0], &actions, nil, arguments, environ) == 0 else { return nil }
    var status: Int32 = 0
    guard waitpid(child, &status, 0) == child else { return nil }
    // Exit status 1 means that nothing matched, which is a valid answer.
    guard status & 0x7F == 0, (status >> 8) & 0xFF <= 1 else { return nil }
    shortest = min(shortest, milliseconds(clock.now - start))
  }
  return shortest
}

/// Milliseconds of processor time.
private func spentTime(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// Milliseconds of processor time that this thread has used.
func threadTime() -> Double { spentTime(CLOCK_THREAD_CPUTIME_ID) }

/// Measures time from its creation.
struct Meter {
  private let start = ContinuousClock.now
  private let processor = spentTime(CLOCK_PROCESS_CPUTIME_ID)

  var clock: Double { milliseconds(ContinuousClock.now - start) }
  /// Processor time of all threads: less noisy than wall time on a busy machine.
  var processorTime: Double { spentTime(CLOCK_PROCESS_CPUTIME_ID) - processor }
}

/// The minimum of several runs, in milliseconds.
struct Cost {
  var clock = Double.infinity
  var processor = Double.infinity

  mutating func improve(_ meter: Meter) {
    clock = min(clock, meter.clock)
    processor = min(processor, meter.processorTime)
  }
}

func milliseconds(_ duration: Duration) -> Double {
  let (seconds, attoseconds) = duration.components
  return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
}

func rounded(_ value: Double, _ digits: Int = 2) -> String {
  let factor = pow(10, Double(digits))
  let whole = Int64((value * factor).rounded())
  let text = String(abs(whole))
  let padded = String(repeating: "0", count: max(digits + 1 - text.count, 0)) + text
  let sign = whole < 0 ? "-" : ""
  return digits == 0 ? sign + padded : sign + padded.dropLast(digits) + "." + padded.suffix(digits)
}
