import Glibc
import NewsPostgres
import Testing

@Suite struct `Waits for the server's answer` {
  @Test func `The end of a wait touches nothing that has the number of a socket that libpq has closed`() {
    var server: [Int32] = [0, 0]
    var other: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &server) == 0)
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &other) == 0)
    let wait = AnswerWait()
    wait.attach(server[0], to: "server")
    let began = wait.during {
      // Closes the socket, and gives its number to the other one.
      dup2(other[0], server[0])
      return wait.cut(after: .zero)
    }
    #expect(began != nil)
    #expect(send(other[0], "a", 1, Int32(MSG_NOSIGNAL)) == 1)
    var byte: UInt8 = 0
    // The connection has ended.
    #expect(recv(server[1], &byte, 1, 0) == 0)
    wait.detach()
    for descriptor in server + other { close(descriptor) }
  }
}
