import NewsCore
import SeededRandom
import Testing

@Suite struct `HTTP dates` {
  static let now = Timestamp(CivilTime(year: 2026, month: 11, day: 20))
  static let example = Timestamp(CivilTime(year: 1994, month: 11, day: 6, hour: 8, minute: 49, second: 37))

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", example),
    ("Sunday, 06-Nov-94 08:49:37 GMT", example),
    ("Sun Nov  6 08:49:37 1994", example),
    ("06 Nov 1994 08:49:37 GMT", example),
    ("Sun, 6 Nov 1994 08:49:37 UTC", example),
    ("sun, 06 nov 1994 08:49:37 gmt", example),
    ("Sun, 06 Nov 1994 10:49:37 +0200", example),
    ("Sun, 06 Nov 1994 03:49:37 -0500", example),
    ("Sun, 06 Nov 1994 08:49:37", example),
    ("Mon, 02 Mar 2026 00:00:00 GMT", Timestamp(CivilTime(year: 2026, month: 3, day: 2))),
    ("Friday, 01-Jan-27 00:00:00 GMT", Timestamp(CivilTime(year: 2027, month: 1, day: 1))),
    (
      "Sat, 30 Jun 2012 23:59:60 GMT",
      Timestamp(CivilTime(year: 2012, month: 6, day: 30, hour: 23, minute: 59, second: 59))
    ),
  ])
  func `All three forms and common deviations are parsed`(_ text: String, _ time: Timestamp) {
    #expect(HTTPDate.parse(text, now: Self.now) == time)
  }

  @Test(arguments: [
    "", "0", "-1", "now", "Sun", "Sun, 06 Nov", "Sun, 06 Foo 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 25:49:37 GMT",
    "Sun, 06 Nov 1994 0849 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 199x 08:49:37 GMT", "3600",
    ",,,,",
    "Sun, 06 Nov 1994 08:49:-7 GMT", "1994-11-06T08:49:37Z",
  ])
  func `Text that is not a date is nil`(_ text: String) {
    #expect(HTTPDate.parse(text, now: Self.now) == nil)
  }

  @Test func `Random text does not crash the parser`() {
    var random = SeededRandom(seed: 41)
    let pieces = [
      "Sun", ",", " ", "06", "-", "Nov", "94", "1994", "08:49:37", ":", "GMT", "+0200", "é", "\t", "9", "",
    ]
    for _ in 0..<5000 {
      let count = Int.random(in: 0..<10, using: &random)
      let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      _ = HTTPDate.parse(text, now: Self.now)
    }
  }
}
