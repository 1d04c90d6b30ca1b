import NewsCore

/// Places of sites: bytes of the claim file beyond those of the feeds, a row of them for each site's fingerprint. When a
/// site was last asked stands in the file itself, in a small table: of two sites that share an entry, which is rare, the
/// later one counts.
///
/// Processes take turns: those that find all places taken share a lock in the row, and whoever gives a place back looks at it.
struct SitePlaces: SiteSharing {
  let file: ClaimFile

  private static let firstRow: Int64 = 1 << 60
  private static let rowLength: Int64 = 128
  /// Where in its row a process locks that decides whether the site may be asked now.
  private static let decision: Int64 = 127
  /// What those that wait for a place lock together.
  private static let wish: Int64 = 126
  private static let entries: UInt64 = 8192

  func enter(_ site: String, besides held: [Int], _ request: SiteRequest) -> SiteEntry {
    let print = Self.fingerprint(site)
    let row = Self.row(print)
    let isSpaced = request.isSpaced && request.spacing > 0
    if isSpaced {
      switch file.lock(row + Self.decision) {
      case .taken: break
      case .refused: return .busy(lastStart: nil)
      case .unknown: return .entered(place: nil)
      }
    }
    defer { if isSpaced { file.unlock(row + Self.decision) } }
    if isSpaced, let free = lastStart(print, request).map({ $0 + request.spacing }), free > request.now {
      return .later(until: free)
    }
    for place in 0..<min(request.limit, Int(Self.wish)) where !held.contains(place) {
      switch file.lock(row + Int64(place)) {
      case .taken:
        file.write((print, request.now), at: Self.entry(print))
        return .entered(place: place)
      case .refused: continue
      case .unknown: return .entered(place: nil)
      }
    }
    return .busy(lastStart: lastStart(print, request))
  }

  func leave(_ site: String, place: Int) -> Bool {
    let row = Self.row(Self.fingerprint(site))
    file.unlock(row + Int64(place))
    return file.isLocked(row + Self.wish)
  }

  func wait(for site: String) { file.share(Self.row(Self.fingerprint(site)) + Self.wish) }

  func stopWaiting(for site: String) { file.unlock(Self.row(Self.fingerprint(site)) + Self.wish) }

  /// Nil also for a time that is still to come: from before the machine was started again.
  private func lastStart(_ print: UInt64, _ request: SiteRequest) -> Int64? {
    guard let (owner, time) = file.read(at: Self.entry(print)), owner == print, time <= request.now else {
      return nil
    }
    return time
  }

  private static func row(_ print: UInt64) -> Int64 {
    firstRow + Int64(print & 0xFF_FFFF_FFFF) * rowLength
  }

  private static func entry(_ print: UInt64) -> Int64 { Int64(print % entries) * 16 }

  /// The same in every process, never zero.
  private static func fingerprint(_ site: String) -> UInt64 { max(BodyHash.of(Array(site.utf8)), 1) }
}
