import NewsHTTP
import NewsCore
import Testing

@Suite struct `Web requests` {
  @Test func `A form keeps order and repetitions, and decodes plus signs`() {
    let form = HTTPParameters(encoded: Array("i=1&a=b+c&i=%E6%97%A5&x&=v&i=50%".utf8))
    #expect(form.all("i") == ["1", "日", "50%"])
    #expect(form.first("a") == "b c")
    #expect(form.first("x") == "")
    #expect(form.pairs.count == 6)
    #expect(form.first("missing") == nil)
  }

  @Test func `Names of fields are compared without case`() {
    var fields = HTTPFields([("Content-Type", "a"), ("content-type", "b")])
    #expect(fields.all("CONTENT-TYPE") == ["a", "b"])
    fields.set("content-Type", "c")
    #expect(fields.all("content-type") == ["c"])
  }

  @Test func `The cookie's name and flags follow the scheme and the prefix`() {
    #expect(WebSite(isSecure: true, host: "example.org").sessionCookieName == "__Host-newsd")
    #expect(
      WebSite(isSecure: true, host: "example.org", prefix: "/news").sessionCookieName == "__Secure-newsd"
    )
    let plain = WebSite(host: "news.lan").sessionCookie("abc")
    #expect(plain == "newsd=abc; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax")
    let secure = WebSite(isSecure: true, host: "example.org", prefix: "/news").sessionCookie("")
    #expect(secure == "__Secure-newsd=; Path=/news; Max-Age=0; HttpOnly; SameSite=Lax; Secure")
  }
}

@Suite struct `Limit of failed log-ins per address` {
  private let start = Timestamp(seconds: 1_000_000)

  @Test func `After ten failures an address waits until the first one is ten minutes old`() {
    var gate = LoginGate()
    for index in 0..<10 {
      #expect(gate.wait(of: "192.0.2.1", now: start + Int64(index)) == nil)
      gate.fail("192.0.2.1", now: start + Int64(index))
    }
    #expect(gate.wait(of: "192.0.2.1", now: start + 9) == 591)
    #expect(gate.wait(of: "192.0.2.2", now: start + 9) == nil)
    #expect(gate.wait(of: "192.0.2.1", now: start + 600) == nil)
  }

  @Test func `Failures while the clock was ahead do not count when it is right`() {
    var gate = LoginGate()
    for _ in 0..<100 { gate.fail("192.0.2.1", now: start + 2 * 86_400) }
    #expect(gate.wait(of: "192.0.2.1", now: start) == nil)
    #expect(gate.wait(of: "192.0.2.2", now: start) == nil)
    for _ in 0..<10 { gate.fail("192.0.2.1", now: start + 1) }
    #expect(gate.wait(of: "192.0.2.1", now: start) == 601)
  }

  @Test func `A successful log-in unblocks the address`() {
    var gate = LoginGate()
    for _ in 0..<10 { gate.fail("192.0.2.1", now: start) }
    gate.succeed("192.0.2.1")
    #expect(gate.wait(of: "192.0.2.1", now: start) == nil)
  }

  @Test func `A successful log-in clears the failures with its own account only`() {
    var gate = LoginGate()
    for _ in 0..<10 { gate.fail("192.0.2.1", account: "anna", now: start) }
    gate.fail("192.0.2.1", account: "eve", now: start)
    gate.succeed("192.0.2.1", account: "eve")
    #expect(gate.wait(of: "192.0.2.1", now: start) != nil)
    gate.succeed("192.0.2.1", account: "anna")
    #expect(gate.wait(of: "192.0.2.1", now: start) == nil)
  }

  @Test func `Failures from addresses of one IPv6 network are counted together`() {
    var gate = LoginGate()
    for index in 0..<10 { gate.fail("2001:db8:0:7::\(index + 1)", now: start) }
    #expect(gate.wait(of: "2001:db8:0:7:ffff::1", now: start) != nil)
    #expect(gate.wait(of: "2001:db8:0:8::1", now: start) == nil)
    #expect(gate.wait(of: "::1", now: start) == nil)
  }

  @Test func `After a hundred failures from many addresses, every address has to wait`() {
    var gate = LoginGate()
    for index in 0..<100 { gate.fail("192.0.2.\(index)", now: start) }
    #expect(gate.wait(of: "198.51.100.1", now: start + 1) == 599)
  }
}
