import Glibc

/// What a process must be given before it can fetch anything.
enum StartLimits {
  /// Open files: the store, its log and locks, standard streams, the event loop, a few connections.
  private static let descriptors: rlim_t = 32
  /// Bytes of address space: libcurl with its libraries, and the stacks of the threads.
  private static let addressSpace: rlim_t = 192 << 20

  /// Opens `/dev/null` for those of the descriptors 0 to 2 that are closed. Otherwise the next file that is opened would take
  /// the number, and messages would be written into it.
  static func fillStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // open(2) takes the lowest free number.
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// - Parameter command: Named in messages.
  /// - Throws: When the process may open too few files (74) or has too little address space (70).
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
