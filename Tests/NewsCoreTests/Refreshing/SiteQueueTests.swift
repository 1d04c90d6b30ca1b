import Testing

@testable import NewsCore

@Suite struct `Queues of jobs, one per site` {
  @Test func `Sites take turns, and each has a limited number of running jobs`() {
    var queue = SiteQueue<Int>(limit: 2)
    let a = queue.index(of: "a")
    let b = queue.index(of: "b")
    for work in 0..<5 { queue.append(work, site: a) }
    queue.append(10, site: b)
    #expect([queue.next()?.work, queue.next()?.work, queue.next()?.work] == [0, 10, 1])
    #expect(queue.next()?.work == nil)
    queue.ended(site: b)
    #expect(queue.next()?.work == nil)
    queue.ended(site: a)
    #expect(queue.next()?.work == 2)
    #expect(queue.count == 2)
    #expect(queue.removeAll() == [3, 4])
    #expect(queue.next()?.work == nil)
  }

  @Test func `With many sites, each job is returned exactly once`() {
    var queue = SiteQueue<Int>(limit: 1)
    for work in 0..<5000 { queue.append(work, site: queue.index(of: "\(work % 700)")) }
    var seen = Set<Int>()
    while let (work, site) = queue.next() {
      #expect(seen.insert(work).inserted)
      queue.ended(site: site)
    }
    #expect(seen.count == 5000)
  }

  @Test func `Feeds without a successful last poll take at most three quarters of the transfers`() {
    var jobs = WaitingJobs(perSite: 2, openTransfers: 16)
    for n in 0..<100 {
      jobs.append(FeedRefresh.Job(id: Feed.ID(rawValue: Int64(n)), mode: .due), site: "dead\(n)")
    }
    var places: [WaitingJobs.Slot] = []
    while let (_, place) = jobs.next() { places.append(place) }
    #expect(places.count == 12)
    for n in 100..<104 {
      let job = FeedRefresh.Job(id: Feed.ID(rawValue: Int64(n)), mode: .due, lastPollSucceeded: true)
      jobs.append(job, site: "alive\(n)")
    }
    #expect((0..<4).compactMap { _ in jobs.next()?.job.id.rawValue } == [100, 101, 102, 103])
    #expect(jobs.next() == nil)
    jobs.ended(places[0])
    #expect(jobs.next()?.job.id.rawValue == 12)
    #expect(jobs.count == 87)
    #expect(jobs.removeAll().count == 87)
  }

  @Test func `Hosts of one site get the same site number`() {
    var sites = SiteNumbers { $0.contains("example.org") ? "example.org" : $0 }
    #expect(sites.number(of: "https://a.example.org/1") == 0)
    #expect(sites.number(of: "https://a.example.org/2?x=/") == 0)
    #expect(sites.number(of: "https://b.example.org") == 0)
    #expect(sites.number(of: "file:///feed.xml") == 1)
    #expect(sites.count == 2)
  }
}
