import NewsCore
import SeededRandom
import Testing

@testable import NewsNetwork

/// Two parsers decide whether secrets are sent: one in Core, without libcurl, and libcurl's for the request. They must
/// agree.
@Suite struct `Agreement of newsd's URL parser with libcurl's` {
  private static let pieces = [
    "http://", "https://", "HTTP://", "http:/", "http:///", "ftp://", "//", "/", "\\", "?", "#", "@", ":",
    ":80",
    ":443", ":0", ":65536", ":+1", "%", "%2f", "%40", "%65", "[", "]", "[::1]", "[fe80::1%25eth0]", "user",
    "pw",
    "evil.example", "good.example", "GOOD.example", "xn--bcher-kva.example", "bücher.example", "127.0.0.1",
    "0x7f.1", "2130706433", "1.2.3", "localhost", ".", "..", " ", "\t", "\u{301}", "\u{600}", "\u{200D}",
    "\u{FE0F}", "\u{37E}", "\u{FF0F}", "\u{3002}", "\u{212A}", "\"", "<", "`", "{", "|", "^", "&", ";", ",",
    "=",
    "\u{7F}", "\u{1}", "\n",
  ]

  @Test func `For a URL that both parsers accept, host, port and user are the same`() throws {
    var random = SeededRandom(seed: 0x0DD5)
    var compared = 0
    for round in 0..<60_000 {
      let scheme = round.isMultiple(of: 2) ? "http://" : "https://"
      let count = Int.random(in: 1...7, using: &random)
      let url = (0..<count).reduce(scheme) { text, _ in text + Self.pieces.randomElement(using: &random)! }
      guard let ours = WebAddress(url), let asked = try? RequestURL(url) else { continue }
      compared += 1
      #expect(ours.scheme == asked.scheme, "\(url.debugDescription)")
      #expect(ours.effectivePort == asked.port, "\(url.debugDescription)")
      let user = ours.userInfo?.split(separator: ":", omittingEmptySubsequences: false).first ?? ""
      if !user.utf8.contains(UInt8(ascii: "%")) {
        #expect(user == asked.user ?? "", "\(url.debugDescription)")
      }
      // Numeric addresses and international names have several notations; libcurl must read Core's as the same host.
      let canonical = try? RequestURL("\(ours.scheme)://\(ours.host)/").host
      #expect(canonical == asked.host, "\(url.debugDescription): \(ours.host), \(asked.host)")
    }
    #expect(compared > 1500)
  }

  @Test func `Origins that newsd's URL parser finds equal are equal for libcurl`() throws {
    var random = SeededRandom(seed: 7)
    var asked: [String: Origin] = [:]
    var repeated = 0
    for _ in 0..<60_000 {
      let count = Int.random(in: 1...5, using: &random)
      let url = (0..<count).reduce("http://") { text, _ in text + Self.pieces.randomElement(using: &random)! }
      guard let ours = WebAddress(url), let origin = try? RequestURL(url).origin else { continue }
      if let known = asked[ours.origin] {
        repeated += 1
        #expect(known == origin, "\(url.debugDescription)")
      }
      asked[ours.origin] = origin
    }
    #expect(repeated > 300)
  }
}
