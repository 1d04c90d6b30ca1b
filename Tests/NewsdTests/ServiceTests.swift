import DIContainer
import Glibc
import NewsCore
import Testing

@Suite struct `Services` {
  @Test(arguments: [
    ("http://203.0.113.7:8787/", nil as String?, nil as String?),
    ("https://news.example/hook", "127.0.0.1:8787", nil),
    ("https://news.example/hook", nil, "TLS"), ("news.example", nil, "is not an http or https URL"),
    ("ftp://news.example/", nil, "is not an http or https URL"),
    ("http://news.example/?a=b", nil, "must not have a query"),
  ])
  func `The callback URL for hubs is validated`(
    _ callback: String,
    _ listen: String?,
    _ problem: String?
  ) {
    let found = CallbackAddress.problem(callback, listen: listen)
    #expect(
      found == nil ? problem == nil : problem.map { found?.contains($0) == true } == true,
      "\(found ?? "")"
    )
  }

  @Test func `A missing store is created unless it must exist`() async throws {
    var template = Array("/tmp/newsd-services-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      for name in ["/news.db", "/news.db-wal", "/news.db-shm"] { unlink(directory + name) }
      rmdir(directory)
    }
    var settings = Settings()
    settings.store = directory + "/news.db"
    settings.storeMustExist = true
    settings.missingStoreAdvice = "Make it first"
    func container() -> ServiceContainer {
      ServiceContainer(settings: settings, environment: [:], program: "newsd/1")
    }
    let strict = container()
    let error = #expect(throws: StoreError.self) { try strict.store() }
    #expect(error?.code == .missing)
    #expect(error?.message == "there is no store \(settings.store). Make it first")
    #expect(access(settings.store, F_OK) != 0)
    settings.storeMustExist = false
    let services = container()
    #expect(try await services.store().feeds().isEmpty)
    #expect(access(settings.store, F_OK) == 0)
    await services.close()
  }
}
