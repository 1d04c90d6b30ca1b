import Foundation
import NewsService
import Testing

@testable import NewsSyndication

@Suite struct `Dates` {
  @Test(arguments: [
    // RFC 822 and its deviations.
    ("Fri, 20 Nov 2026 08:15:00 +0000", "2026-11-20T08:15:00Z"),
    ("Fri, 20 Nov 2026 08:15:00 GMT", "2026-11-20T08:15:00Z"),
    ("20 Nov 2026 08:15 EST", "2026-11-20T13:15:00Z"),
    ("Fri, 20 Nov 26 08:15:00 PDT", "2026-11-20T15:15:00Z"),
    ("Thu, 01 Jan 70 00:00:00 GMT", "1970-01-01T00:00:00Z"),
    ("Fri, 20 Nov 2026", "2026-11-20T00:00:00Z"),
    ("Fri, 20 November 2026 8:15:00 +1:00", "2026-11-20T07:15:00Z"),
    ("Fri 20 Nov 2026 08:15:00 GMT+02:00", "2026-11-20T06:15:00Z"),
    ("Friday, November 20, 2026 8:15 PM", "2026-11-20T20:15:00Z"),
    ("Nov 20, 2026 12:15 am", "2026-11-20T00:15:00Z"),
    ("Fri, 20 Nov 2026 08:15:00 -0700 (PDT)", "2026-11-20T15:15:00Z"),
    ("Fri, 20 Nov 2026 08:15:00 Etc/GMT", "2026-11-20T08:15:00Z"),
    ("Fri, 20 Nov 2026 08:15:00 A", "2026-11-20T08:15:00Z"),
    ("Fri, 20 Nov 2026 08:15:00 Z", "2026-11-20T08:15:00Z"),
    ("Fri, 20 Nov 2026 24:00:00 GMT", "2026-11-21T00:00:00Z"),
    ("Fri, 31 Nov 2026 08:15:00 GMT", "2026-12-01T08:15:00Z"),
    ("Thu, 31 Dec 2026 23:59:60 GMT", "2026-12-31T23:59:59Z"),
    // RFC 3339 and W3C-DTF.
    ("2026-11-20T08:15:00Z", "2026-11-20T08:15:00Z"),
    ("2026-11-20t08:15:00.123+01:00", "2026-11-20T07:15:00Z"),
    ("2026-11-20T08:15-08:00", "2026-11-20T16:15:00Z"),
    ("2026-11-20 08:15:00", "2026-11-20T08:15:00Z"),
    ("2026-11-20", "2026-11-20T00:00:00Z"),
    ("2026-11", "2026-11-01T00:00:00Z"),
    ("2026", "2026-01-01T00:00:00Z"),
    ("2026-11-20T08:15:00 +0100", "2026-11-20T07:15:00Z"),
    ("2026-11-20T08:15:00 EST", "2026-11-20T13:15:00Z"),
    // ISO 8601: basic, ordinal, week.
    ("20261120T081500Z", "2026-11-20T08:15:00Z"),
    ("20261120", "2026-11-20T00:00:00Z"),
    ("2026-324", "2026-11-20T00:00:00Z"),
    ("2026324", "2026-11-20T00:00:00Z"),
    ("2026-W47-5", "2026-11-20T00:00:00Z"),
    ("2026W475T0815Z", "2026-11-20T08:15:00Z"),
    ("2026-W01", "2025-12-29T00:00:00Z"),
    // asctime, SQL Server, Unix times.
    ("Fri Nov 20 08:15:00 2026", "2026-11-20T08:15:00Z"),
    ("Fri Nov 20 08:15:00 +0100 2026", "2026-11-20T07:15:00Z"),
    ("2026-11-20 08:15:00.567", "2026-11-20T08:15:00Z"),
    ("1795162500", "2026-11-20T08:15:00Z"),
    ("1795162500123", "2026-11-20T08:15:00Z"),
    // Languages.
    ("Παρ, 20 Νοε 2026 08:15:00 EET", "2026-11-20T06:15:00Z"),
    ("Τετ, 01 Ιούλ 2026 08:15:00 GMT", "2026-07-01T08:15:00Z"),
    ("2026-július-13T9:15-05:00", "2026-07-13T14:15:00Z"),
    ("2026년 11월 20일 08:15:00", "2026-11-19T23:15:00Z"),
    ("2026-11-20 오후 08:15:00", "2026-11-20T11:15:00Z"),
    ("2026年11月20日 8時15分", "2026-11-20T08:15:00Z"),
    ("Fr, 20 Dez 2026 08:15:00 MEZ", "2026-12-20T07:15:00Z"),
    ("ven., 20 févr. 2026 08:15:00 +0100", "2026-02-20T07:15:00Z"),
    ("mar, 05 ene 2026 08:15:00 GMT", "2026-01-05T08:15:00Z"),
    ("Пт, 20 ноя 2026 08:15:00 +0300", "2026-11-20T05:15:00Z"),
    ("20 Ağustos 2026 08:15", "2026-08-20T08:15:00Z"),
    ("Fri, 2026/11/20 08:15:00 EST", "2026-11-20T13:15:00Z"),
    ("25.12.2026", "2026-12-25T00:00:00Z"),
    ("12/25/2026 08:15:00", "2026-12-25T08:15:00Z"),
    // A weekday that looks like a month.
    ("mar., 14 xan. 2003 10:14:55 +0000", "2003-01-14T10:14:55Z"),
    ("mar, 14 tet 2003 10:14:55 +0000", "2003-10-14T10:14:55Z"),
    ("mar. 14/01/2003 10:14", "2003-01-14T10:14:00Z"),
    ("Mar, 2003-01-14 10:14:55", "2003-01-14T10:14:55Z"),
    ("mar 14 10:14:55 2003", "2003-03-14T10:14:55Z"),
    ("sub, 14 feb 2004", "2004-02-14T00:00:00Z"),
    // Names of two months: the weekday decides.
    ("sub, 14 lip 2003 10:14:55 +0000", "2003-06-14T10:14:55Z"),
    ("pon., 14 lip 2003 10:14:55 +0000", "2003-07-14T10:14:55Z"),
    ("utorak, 14 listopada 2003", "2003-10-14T00:00:00Z"),
    ("pt., 14 listopada 2003", "2003-11-14T00:00:00Z"),
    ("pon, 14 srp 2003", "2003-07-14T00:00:00Z"),
    ("čt, 14 srp 2003", "2003-08-14T00:00:00Z"),
    // Zones.
    ("Mon, 25 Jun 2018 11:41:36 GMT +0200", "2018-06-25T09:41:36Z"),
    ("Wed, 31 Dec 2003 10:14:55 Etc/GMT+5", "2003-12-31T15:14:55Z"),
    ("Wed Dec 31 2003 10:14:55 GMT-0800 (Pacific Standard Time)", "2003-12-31T18:14:55Z"),
    ("Wed Dec 31 10:14:55 XYZ 2003", "2003-12-31T10:14:55Z"),
    // Dots in the time of day, fractions of its last part.
    ("Wed, 31 Dec 2003 10.14.55 GMT", "2003-12-31T10:14:55Z"),
    ("31.12.2003 10.14", "2003-12-31T10:14:00Z"),
    ("08:15 14.01.2003", "2003-01-14T08:15:00Z"),
    ("2003-12-31T10:14,5Z", "2003-12-31T10:14:30Z"),
    ("2003-12-31T1014.25Z", "2003-12-31T10:14:15Z"),
    ("2003-12-31T10,5Z", "2003-12-31T10:30:00Z"),
    ("2003-12-31T10:14:60Z", "2003-12-31T10:14:59Z"),
    // Eras, digits and words of other scripts.
    ("平成30年6月25日", "2018-06-25T00:00:00Z"),
    ("令和元年6月25日", "2019-06-25T00:00:00Z"),
    ("星期三, 31 12月 2003 10:14:55 +0800", "2003-12-31T02:14:55Z"),
    ("พ., 31 ธ.ค. 2546 10:14:55 +0700", "2003-12-31T03:14:55Z"),
    ("Thứ Tư, 31 Tháng Mười Hai 2003", "2003-12-31T00:00:00Z"),
    ("31 בדצמבר 2003", "2003-12-31T00:00:00Z"),
    ("۳۱ دسامبر ۲۰۰۳ ۱۰:۱۴", "2003-12-31T10:14:00Z"),
    ("4 d'agost de 2003", "2003-08-04T00:00:00Z"),
    ("1er avril 2003 à 10h14", "2003-04-01T10:14:00Z"),
    ("2003 m. gruodžio 31 d. 10:14", "2003-12-31T10:14:00Z"),
    ("am 31. Dezember 2003 um 14:14 Uhr", "2003-12-31T14:14:00Z"),
  ])
  func `A date in any of its forms is the instant it names`(_ text: String, _ expected: String) {
    #expect(DateParser.parse(text)?.rfc3339 == expected)
  }

  @Test(arguments: [
    "", "now", "yesterday", "0000-00-00T00:00:00Z", "2026-13-01", "2026-11-20T25:15:00Z",
    "2026-11-20T08:61:00Z",
    "Fri, 32 Nov 2026 08:15:00 GMT", "05/06/2026", "Fri, 20 Foo 2026 08:15:00 GMT", "12",
    "99999999999999999999",
    "2026-W60-1", "2026-400", "Nov", ":::", "20 Nov", "--", "99999999999", "2003-12-31T10:14:61Z",
    "mar, 14 foo 2003 10:14:55 +0000", "mar. foo 14 10:14:55 2003", "14 foo 2003", "14 lip 2003",
    "nedjelja, 14 lip 2003", "14 listopada 2003 10:14", "Wed, 31 Dec 2003 10:14:55 America/New_York",
    "2003-12-31T10:14:55 Europe/Berlin", "Wed, 31 Dec 2003 10:14:55 +-0100", "2003-12-31T10:14:55+-0100",
    "Wed Dec 31 10:14:55 Pacific Standard Time 2003", "18年6月25日", "۱۴۰۲/۰۵/۰۱",
    "Wed, 31 Dec 2003 10:14:55 +0160", "Wed, 30 Nov -0001 00:00:00 +0000",
  ])
  func `What is no date for certain is absent`(_ text: String) {
    #expect(DateParser.parse(text) == nil)
  }

  @Test func `The months of the world's languages are read from their names`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/dates/month-names.tsv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count > 100)
    for line in lines {
      let fields = line.split(separator: "\t")
      let weekdays = fields[1].split(separator: "|")
      let months = fields[2].split(separator: "|")
      #expect(weekdays.count == 7 && months.count == 12)
      for (index, month) in months.enumerated() {
        let day = CivilTime(year: 2003, month: index + 1, day: 14)
        let text = "\(weekdays[day.weekday]), 14 \(month) 2003 10:14:55 +0000"
        let expected = Timestamp(day) + 36_895
        #expect(DateParser.parse(text) == expected, "\(fields[0]): \(text)")
      }
    }
  }

  @Test func `Random bytes never end in a crash`() {
    var generator = SplitMix(state: 42)
    for _ in 0..<20_000 {
      let alphabet = Array("0123456789-:+TZ., ()/'JanNovMonGMTthéα年月平成٢ל".utf8)
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      bytes.withUnsafeBufferPointer { _ = DateParser.parse($0) }
    }
  }
}

/// A generator with a seed, so that a failing run can be repeated.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z &>> 31)
  }
}
