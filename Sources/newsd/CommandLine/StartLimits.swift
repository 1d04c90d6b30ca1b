import Glibc
import Modules

/// The resource limits that newsd needs.
enum StartLimits {
  struct Minimum {
    var files: rlim_t
    /// The address space in bytes.
    var addressSpace: rlim_t
  }

  /// The minimum for every command: the store, its log and locks, standard streams, a few threads.
  static let always = Minimum(files: 16, addressSpace: 128 << 20)
  /// The minimum for a command that fetches or follows: also the event loop, connections, and libcurl with
  /// its libraries. Each thread reserves address space for its stack and its heap. With 512 MiB, `newsd run` with the page
  /// cannot load ICU for its first feed; with 256 MiB, some starts crash because the runtime cannot start a thread. With 32
  /// open files, libdispatch cannot read the load of the machine after a minute, and ends the process.
  static let fetching = Minimum(files: 64, addressSpace: 640 << 20)

  /// The minimum of `newsd run` for accounts on a server, which share many connections.
  static let sharing = Minimum(files: 128, addressSpace: fetching.addressSpace)

  /// Opens `/dev/null` for each closed descriptor from 0 to 2. Otherwise the next file would get that number, and
  /// messages would be written into it.
  static func fillStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // open(2) returns the lowest free number.
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// Raises the limit on open files if it is too low and may be raised. `program` is the command that needs it, for the message:
  /// `newsd fetch`. `reason` says why it needs more than without that.
  static func check(_ minimum: Minimum, for program: String, reason: String = "") throws(UserMessage) {
    var files = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0, files.rlim_cur < minimum.files {
      guard files.rlim_max >= minimum.files else {
        throw UserMessage(
          code: .io,
          text:
            "'\(program)' needs \(minimum.files) open files\(reason), but only \(files.rlim_max) are allowed (ulimit -n, "
            + "LimitNOFILE in systemd)"
        )
      }
      files.rlim_cur = minimum.files
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
    }
    var space = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space) == 0, space.rlim_cur < minimum.addressSpace
    {
      throw UserMessage(
        code: .internalError,
        text:
          "'\(program)' needs \(minimum.addressSpace >> 20) MiB of address space, but only \(space.rlim_cur >> 20) MiB are"
          + " allowed (ulimit -v)"
      )
    }
  }
}
