import Glibc
import NewsCore
import Testing

@testable import NewsFiles

/// Two open files simulate two processes, because a lock belongs to the open file.
@Suite struct `Slots of sites in the lock file` {
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

  @Test func `A slot is taken only once, and all processes see the time`() {
    #expect(first.enter("a.example", besides: [], request(at: 500)) == .entered(place: 0))
    #expect(first.enter("a.example", besides: [0], request(at: 600)) == .busy(lastStart: 500))
    #expect(second.enter("a.example", besides: [], request(at: 700)) == .busy(lastStart: 500))
    #expect(second.enter("b.example", besides: [], request(at: 700)) == .entered(place: 0))
    #expect(!first.leave("a.example", place: 0))
    #expect(second.enter("a.example", besides: [], request(at: 800, isSpaced: true)) == .later(until: 1500))
    #expect(second.enter("a.example", besides: [], request(at: 1500, isSpaced: true)) == .entered(place: 0))
  }

  @Test func `A lock file that was deleted is made anew, so that all processes lock the same one`() {
    #expect(first.enter("a.example", besides: [], request(at: 500)) == .entered(place: 0))
    #expect(unlink(store + ".claims") == 0)
    #expect(second.enter("a.example", besides: [], request(at: 600)) == .entered(place: 0))
    #expect(first.enter("a.example", besides: [], request(at: 700)) == .busy(lastStart: 600))
  }

  @Test func `Releasing a slot reports waiting processes, except the releasing one`() {
    #expect(first.enter("a.example", besides: [], request(at: 0)) == .entered(place: 0))
    first.wait(for: "a.example")
    #expect(!first.leave("a.example", place: 0))
    #expect(second.leave("a.example", place: 0))
    second.wait(for: "a.example")
    #expect(first.leave("a.example", place: 0))
    second.withdrawWaiting(for: "a.example")
    #expect(!first.leave("a.example", place: 0))
  }

  @Test func `A time in the future, or of another site, is ignored`() {
    #expect(first.enter("a.example", besides: [], request(at: 5000)) == .entered(place: 0))
    #expect(second.enter("a.example", besides: [], request(at: 4000)) == .busy(lastStart: nil))
    for entry in 0..<8192 { first.file.write((7, 5000), at: Int64(entry) * 16) }
    #expect(second.enter("a.example", besides: [], request(at: 6000)) == .busy(lastStart: nil))
    #expect(!first.leave("a.example", place: 0))
    #expect(second.enter("a.example", besides: [], request(at: 5500, isSpaced: true)) == .entered(place: 0))
  }

  @Test(arguments: [Int64.min, -1, Int64.max])
  func `An impossible time in a damaged lock file is ignored`(time: Int64) {
    let print = SiteSlots.fingerprint("a.example")
    first.file.write((print, time), at: SiteSlots.entry(print))
    #expect(first.enter("a.example", besides: [], request(at: 5000, isSpaced: true)) == .entered(place: 0))
    second.file.write((print, time), at: SiteSlots.entry(print))
    #expect(second.enter("a.example", besides: [], request(at: 6000)) == .busy(lastStart: nil))
  }

  @Test func `Without a usable lock file, requests are sent without limits across processes`() {
    let file = LockFile(store: directory.path + "/missing/news.db")
    let places = SiteSlots(file: file)
    for isSpaced in [false, true] {
      let entry = places.enter("a.example", besides: [], request(at: 0, isSpaced: isSpaced))
      #expect(entry == .acquired(slot: nil))
    }
    places.wait(for: "a.example")
    #expect(!places.leave("a.example", place: 0))
    #expect(FeedLocks(file: file).claim(Feed.ID(rawValue: 1)))
  }
}
