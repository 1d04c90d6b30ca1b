import NewsCore

/// The numbers by which a client of Google Reader's protocol or Fever knows items.
///
/// Some clients compare ids as text, or fill hexadecimal ids up to the length of decimal ones; they need 16 digits, as
/// FreshRSS's ids have. Clients with older app passwords have stored shorter ids and still get them. newsd accepts both.
struct ItemNumbers: Hashable, Sendable {
  private static let offset: Int64 = 1_000_000_000_000_000

  let areLong: Bool

  init(_ app: AppPassword) { areLong = app.hasLongIDs }

  func number(_ id: NewsItem.ID) -> Int64 { areLong ? id.rawValue &+ Self.offset : id.rawValue }

  static func id(_ number: Int64) -> NewsItem.ID {
    NewsItem.ID(rawValue: number >= offset ? number - offset : number)
  }
}
