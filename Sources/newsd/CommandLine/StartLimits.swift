import Glibc

/// The resource limits that newsd needs before it can fetch.
enum StartLimits {
  /// Open files needed: the store, its log and locks, standard streams, the event loop, a few connections.
  private static let descriptors: rlim_t = 32
  /// Bytes of address space needed: libcurl with its libraries, and the stacks of threads.
  private static let addressSpace: rlim_t = 192 << 20

  /// Opens `/dev/null` for each closed descriptor from 0 to 2. Otherwise the next file would get that number, and
  /// messages would be written into it.
  static func fillStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // open(2) returns the lowest free number.
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// - Name of the command, for messages.
  /// - Throws: If the limit on open files (74) or on address space (70) is too low.
  static func check(command: String) throws(CommandFailure) {
    var files = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0, files.rlim_cur < descriptors {
      guard files.rlim_max >= descriptors else {
        throw CommandFailure(
          .inputOutput,
          "'newsd \(command)' needs \(descriptors) open files, but only \(files.rlim_max) are allowed (ulimit -n)"
        )
      }
      files.rlim_cur = descriptors
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
    }
    var space = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space) == 0, space.rlim_cur < addressSpace {
      throw CommandFailure(
        .internalError,
        "'newsd \(command)' needs \(addressSpace >> 20) MiB of address space, but only \(space.rlim_cur >> 20) MiB are"
          + " allowed (ulimit -v)"
      )
    }
  }
}
