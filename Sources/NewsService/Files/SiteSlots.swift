public import NewsCore

/// Slots of sites in the lock file. Each site has a row of bytes, selected by its fingerprint, after the bytes of the
/// feeds.
///
/// The file also contains a small table with the time of each site's last request. In the rare case that two sites
/// share an entry, the later write wins.
///
/// Processes take turns: a process that finds all slots taken takes a shared lock on the row's `waitingByte`;
/// a process that frees a slot checks that byte and, if it is locked, lets another process go first.
public struct SiteSlots: SiteSharing {
  let file: LockFile

  public init(file: LockFile) {
    self.file = file
  }

  private static let firstRow: Int64 = 1 << 60
  private static let rowLength: Int64 = 128
  /// The byte of a row that a process locks while it checks the spacing and takes a slot of the site.
  private static let decision: Int64 = 127
  /// The byte of a row on which waiting processes hold shared locks.
  private static let waitingByte: Int64 = 126
  private static let entries: UInt64 = 8192

  public func acquire(_ site: String, besides held: [Int], _ request: SiteRequest) -> SiteEntry {
    let print = Self.fingerprint(site)
    let row = Self.row(print)
    let isSpaced = request.isSpaced && request.spacing > 0
    if isSpaced {
      switch file.lock(row + Self.decision) {
      case .taken: break
      case .refused: return .busy(lastStart: nil)
      case .unknown: return .acquired(slot: nil)
      }
    }
    defer { if isSpaced { file.unlock(row + Self.decision) } }
    if isSpaced, let free = lastStart(print, request).map({ $0 + request.spacing }), free > request.now {
      return .later(until: free)
    }
    for place in 0..<min(request.limit, Int(Self.waitingByte)) where !held.contains(place) {
      switch file.lock(row + Int64(place)) {
      case .taken:
        file.write((print, request.now), at: Self.entry(print))
        return .acquired(slot: place)
      case .refused: continue
      case .unknown: return .acquired(slot: nil)
      }
    }
    return .busy(lastStart: lastStart(print, request))
  }

  public func release(_ site: String, slot: Int) -> Bool {
    let row = Self.row(Self.fingerprint(site))
    file.unlock(row + Int64(slot))
    return file.isLocked(row + Self.waitingByte)
  }

  public func announceWaiting(for site: String) {
    file.share(Self.row(Self.fingerprint(site)) + Self.waitingByte)
  }

  public func withdrawWaiting(for site: String) {
    file.unlock(Self.row(Self.fingerprint(site)) + Self.waitingByte)
  }

  /// Returns the start of the site's last request. Returns nil for an impossible time: a negative one is from a damaged
  /// file, and one in the future was written before a reboot.
  private func lastStart(_ print: UInt64, _ request: SiteRequest) -> Int64? {
    guard let (owner, time) = file.read(at: Self.entry(print)), owner == print,
      (0...max(0, request.now)).contains(time)
    else {
      return nil
    }
    return time
  }

  private static func row(_ print: UInt64) -> Int64 {
    firstRow + Int64(print & 0xFF_FFFF_FFFF) * rowLength
  }

  static func entry(_ print: UInt64) -> Int64 { Int64(print % entries) * 16 }

  /// Returns a nonzero hash that is equal in every process.
  static func fingerprint(_ site: String) -> UInt64 { max(BodyHash.of(Array(site.utf8)), 1) }
}
