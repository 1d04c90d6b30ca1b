import Glibc
import NewsText
import TestSupport
import Testing

@testable import newsd

@Suite(.timeLimit(.minutes(5)))
struct `Standard output` {
  @Test func `A message cannot control the terminal`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let hostile = "moved to \u{202E}gpj.exe\u{9B}31m\u{1B}]0;x\u{7} end\u{7F}"
    #expect(StandardError.write(hostile + "\n", to: ends[1]))
    close(ends[1])
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(ends[0], &bytes, bytes.count)
    close(ends[0])
    let shown = String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
    #expect(shown == "moved to gpj.exe\u{FFFD}31m\u{FFFD}]0;x\u{FFFD} end\u{FFFD}\n")
  }

  @Test(.blocking) func `Writing waits for room in a non-blocking pipe`() async throws {
    var data: [Int32] = [0, 0]
    var answer: [Int32] = [0, 0]
    try #require(pipe(&data) == 0 && pipe(&answer) == 0)
    for end in [data[1], answer[0]] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(data[1], F_SETFL, O_NONBLOCK)
    let count = 1 << 20
    let end = data[1]
    async let written: Void = Self.write(count, to: end)
    // Another process starts reading when the pipe is full.
    try await eventually { !Self.hasRoom(end) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, data[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, answer[1], STDOUT_FILENO)
    var words: [UnsafeMutablePointer<CChar>?] =
      ["sh", "-c", "wc -c"].map { (word: String) in strdup(word) } + [nil]
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    try #require(posix_spawn(&pid, "/bin/sh", &actions, nil, &words, nil) == 0)
    close(data[0])
    close(answer[1])

    try await written
    close(data[1])
    var text = [UInt8](repeating: 0, count: 64)
    let length = read(answer[0], &text, text.count)
    close(answer[0])
    waitpid(pid, nil, 0)
    #expect(String(decoding: text[..<max(length, 0)], as: UTF8.self) == "\(count)\n")
  }

  private static func write(_ count: Int, to descriptor: Int32) async throws {
    let output = DescriptorWriter(descriptor: descriptor)
    for _ in 0..<16 { try output.write([UInt8](repeating: UInt8(ascii: "x"), count: count / 16)) }
  }

  private static func hasRoom(_ descriptor: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&state, 1, 0) > 0
  }
}
