import NewsCore
@testable import newsd
import Testing

@Suite struct `Outages of a store` {
  private let failure = RefreshEvent.storeFailed(StoreError(code: .busy, message: "no answer"))

  @Test func `An outage that several witnesses see has one failure and one recovery`() {
    let outage = StoreOutage()
    #expect(!outage.isNews(.storeRecovered, from: .claims))
    #expect(outage.isNews(failure, from: .claims))
    #expect(!outage.isNews(failure, from: .lease))
    #expect(!outage.isNews(failure, from: .polling))
    // The lease holds again, but the claims of the store still fail.
    #expect(!outage.isNews(.storeRecovered, from: .lease))
    #expect(!outage.isNews(.storeRecovered, from: .polling))
    #expect(outage.isNews(.storeRecovered, from: .claims))
    #expect(outage.isNews(failure, from: .lease))
  }
}
