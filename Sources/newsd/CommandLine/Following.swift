import DIContainer
import Glibc
import Modules
import NewsText

extension CommandContext {
  /// Runs a stream until a signal arrives. The stream stops between two items, with all output flushed; within an
  /// item only if the reader of the output has stalled.
  ///
  /// - Parameters:
  ///   - output: The destination of the stream.
  ///   - watchesReader: True: also end when the reader of standard output has closed it.
  ///   - stream: Runs until its task is cancelled.
  /// - Returns: The exit status of the stream.
  /// - Throws: Errors of the stream; `OutputError.closed` if the reader has closed the output.
  func untilSignalled(
    _ output: StoppableWriter,
    watchesReader: Bool,
    _ stream: @escaping @Sendable () async throws -> ExitStatus
  ) async throws -> ExitStatus {
    let signals = try requireSignals()
    return try await withThrowingTaskGroup(of: ExitStatus?.self) { group in
      group.addTask {
        do {
          return try await stream()
        } catch OutputError.failed(EINTR) where output.isStopped {
          return .done
        }
      }
      group.addTask {
        for await _ in signals.signals {
          output.stop()
          return nil
        }
        guard Task.isCancelled else {
          throw UserMessage(
            code: .internalError,
            text: "cannot install signal handlers: no pipe or thread can be created"
          )
        }
        return nil
      }
      if watchesReader {
        group.addTask {
          try await Self.throwWhenReaderCloses()
          return nil
        }
      }
      var status = ExitStatus.done
      while let ended = try await group.next() {
        group.cancelAll()
        if let ended { status = ended }
      }
      return status
    }
  }

  /// Polls until the task is cancelled, and throws when the reader has closed the output. Without this, only the next
  /// write would notice, perhaps hours later.
  private static func throwWhenReaderCloses() async throws(OutputError) {
    while (try? await Task.sleep(for: .milliseconds(500))) != nil {
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      if poll(&output, 1, 0) > 0, output.revents & Int16(POLLERR | POLLHUP) != 0 { throw .closed }
    }
  }
}
