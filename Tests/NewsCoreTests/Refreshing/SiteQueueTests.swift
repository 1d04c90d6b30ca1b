import Testing

@testable import NewsCore

@Suite struct `Work per site` {
  @Test func `Sites take turns, and none has more than its share at a time`() {
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

  @Test func `Nothing is lost or doubled among many sites`() {
    var queue = SiteQueue<Int>(limit: 1)
    for work in 0..<5000 { queue.append(work, site: queue.index(of: "\(work % 700)")) }
    var seen = Set<Int>()
    while let (work, site) = queue.next() {
      #expect(seen.insert(work).inserted)
      queue.ended(site: site)
    }
    #expect(seen.count == 5000)
  }

  @Test func `A site is named once for all feeds of a host`() {
    var sites = SiteNumbers { $0.contains("example.org") ? "example.org" : $0 }
    #expect(sites.number(of: "https://a.example.org/1") == 0)
    #expect(sites.number(of: "https://a.example.org/2?x=/") == 0)
    #expect(sites.number(of: "https://b.example.org") == 0)
    #expect(sites.number(of: "file:///feed.xml") == 1)
    #expect(sites.count == 2)
  }
}
