import Glibc
import Modules
import NewsText

/// Standard output, to which screens write.
enum StandardOutput {
  /// Ends the process by SIGPIPE. newsd ignores this signal otherwise, because a closed socket must not end the
  /// daemon.
  static func endByBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    _exit(128 + SIGPIPE)
  }
}

/// Standard error. Each line is one write, so that lines of several processes do not mix.
///
/// Messages that are written here are cleaned for terminals, because parts of them come from servers,
/// programs and files. Control characters become U+FFFD, bidirectional controls are dropped. Screens and the
/// daemon's log write their own, cleaned text.
enum StandardError {
  static func line(_ text: String) {
    write(text + "\n")
  }

  static func write(_ text: String) {
    // Ignore the result: there is no place to report a failure to write messages.
    _ = write(text, to: STDERR_FILENO)
  }

  /// Returns false if not all of the text could be written.
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    Array(DisplayText(block: text).string.utf8).withUnsafeBytes { bytes in
      (try? DescriptorWriter(descriptor: descriptor).write(bytes)) != nil
    }
  }
}
