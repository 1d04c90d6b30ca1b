import Glibc
import NewsCore
import Testing

@testable import NewsFiles

/// Two open files simulate two processes, because a lock belongs to the open file.
@Suite struct `Request slots of sites in the lock file` {
  private let store: String
  private let first: SiteSlots
  private let second: SiteSlots
  private let directory = TemporaryFolder()

  init() {
    store = directory.path + "/news.db"
    first = SiteSlots(file: LockFile(store: store))
    second = SiteSlots(file: LockFile(store: store))
  }

  private func request(at now: Int64, isSpaced: Bool = false) -> SiteRequest {
    SiteRequest(limit: 1, spacing: 1000, isSpaced: isSpaced, now: now)
  }

  @Test func `A slot is taken only once, and other processes see the time of the site's last request`() {
    #expect(first.acquire("a.example", besides: [], request(at: 500)) == .acquired(slot: 0))
    #expect(first.acquire("a.example", besides: [0], request(at: 600)) == .busy(lastStart: 500))
    #expect(second.acquire("a.example", besides: [], request(at: 700)) == .busy(lastStart: 500))
    #expect(second.acquire("b.example", besides: [], request(at: 700)) == .acquired(slot: 0))
    #expect(!first.release("a.example", slot: 0))
    #expect(second.acquire("a.example", besides: [], request(at: 800, isSpaced: true)) == .later(until: 1500))
    #expect(second.acquire("a.example", besides: [], request(at: 1500, isSpaced: true)) == .acquired(slot: 0))
  }

  @Test func `A lock file that was deleted is made anew, so that all processes lock the same one`() {
    #expect(first.acquire("a.example", besides: [], request(at: 500)) == .acquired(slot: 0))
    #expect(unlink(store + ".claims") == 0)
    #expect(second.acquire("a.example", besides: [], request(at: 600)) == .acquired(slot: 0))
    #expect(first.acquire("a.example", besides: [], request(at: 700)) == .busy(lastStart: 600))
  }

  @Test func `Releasing a slot tells whether another process waits for the site`() {
    #expect(first.acquire("a.example", besides: [], request(at: 0)) == .acquired(slot: 0))
    first.announceWaiting(for: "a.example")
    #expect(!first.release("a.example", slot: 0))
    #expect(second.release("a.example", slot: 0))
    second.announceWaiting(for: "a.example")
    #expect(first.release("a.example", slot: 0))
    second.withdrawWaiting(for: "a.example")
    #expect(!first.release("a.example", slot: 0))
  }

  @Test func `A request time that lies in the future, or belongs to another site, is ignored`() {
    #expect(first.acquire("a.example", besides: [], request(at: 5000)) == .acquired(slot: 0))
    #expect(second.acquire("a.example", besides: [], request(at: 4000)) == .busy(lastStart: nil))
    for entry in 0..<8192 { first.file.write((7, 5000), at: Int64(entry) * 16) }
    #expect(second.acquire("a.example", besides: [], request(at: 6000)) == .busy(lastStart: nil))
    #expect(!first.release("a.example", slot: 0))
    #expect(second.acquire("a.example", besides: [], request(at: 5500, isSpaced: true)) == .acquired(slot: 0))
  }

  @Test(arguments: [Int64.min, -1, Int64.max])
  func `An impossible time in a damaged lock file is ignored`(time: Int64) {
    let print = SiteSlots.fingerprint("a.example")
    first.file.write((print, time), at: SiteSlots.entry(print))
    #expect(first.acquire("a.example", besides: [], request(at: 5000, isSpaced: true)) == .acquired(slot: 0))
    second.file.write((print, time), at: SiteSlots.entry(print))
    #expect(second.acquire("a.example", besides: [], request(at: 6000)) == .busy(lastStart: nil))
  }

  @Test func `Without a usable lock file, requests are sent without limits across processes`() {
    let file = LockFile(store: directory.path + "/missing/news.db")
    let places = SiteSlots(file: file)
    for isSpaced in [false, true] {
      let entry = places.acquire("a.example", besides: [], request(at: 0, isSpaced: isSpaced))
      #expect(entry == .acquired(slot: nil))
    }
    places.announceWaiting(for: "a.example")
    #expect(!places.release("a.example", slot: 0))
    #expect(FeedLocks(file: file).claim(Feed.ID(rawValue: 1)) == .claimed(secondsSinceRequest: nil))
  }
}
