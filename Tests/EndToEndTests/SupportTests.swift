import TestServer
import TestSupport
import Testing

@Suite(.blocking) struct `The report for bugs` {
  private let directory = TemporaryDirectory()

  @Test func `It has versions, keys, layout and figures, and no configured secret, name or address`() throws {
    let publisher = try TestServer()
    let feed = "<rss version=\"2.0\"><channel><title>T</title><item><title>I</title></item></channel></rss>"
    publisher.on("/feed", .ok(feed))
    publisher.on("/private", .ok(feed))
    let configuration = """
      network: {concurrency: 12, user_agent: "agentname"}
      node: {name: nodename}
      web: {user: username, url: "https://sitename.example/", password_file: /passwordpath}
      credentials: {api: credentialvalue, other: 12345678}
      hooks:
        - {name: hookname, url: "https://hookhost.example/path", headers: {Authorization: "config:api"}}
      retention: {keep_days: 400}
      """
    var newsd = Program(in: directory, environment: ["NEWSD_ALLOW_PRIVATE": "1"])
    newsd.environment["NEWSD_CONFIG"] = directory.write(configuration, to: "newsd.yaml")
    #expect(try newsd.run("feeds", "add", publisher.url("/feed")).status == 0)
    let secret = publisher.url("/private").replacing("http://", with: "http://feeduser:feedpassword@")
    #expect(try newsd.run("feeds", "add", secret).status == 0)
    publisher.on("/private", .ok("no feed"))
    _ = try newsd.run("fetch")
    let report = try newsd.run("support")
    #expect(report.status == 0, "\(report.errors)")
    for part in [
      "[versions]\nnewsd: ", "\ncommit: ", "\nsqlite: 3.", "\nkernel: Linux", "\nnetwork.concurrency: 12\n",
      "\nretention.keep_days: 400\n", "\nnetwork.user_agent: set\n", "\nweb.user: set\n",
      "\ncredentials: 2 set\n",
      "\nhooks: 1 set\n", "\nlayout: current\n", "\nkind: SQLite\n", "\nfeeds: 2, ", "\nnot_a_feed: 1\n",
    ] {
      #expect(report.output.contains(part), "\(part) in \(report.output)")
    }
    let named = try newsd.run("support", "--addresses")
    #expect(named.output.contains("/private"), "\(named.output)")
    let secrets = [
      "agentname", "nodename", "username", "sitename", "passwordpath", "credentialvalue", "12345678",
    ]
    for output in [report, named].map({ $0.output + $0.errors }) {
      for text in secrets + ["hookname", "hookhost", "feeduser", "feedpassword"] {
        #expect(!output.contains(text), "\(text) in \(output)")
      }
    }
    #expect(!report.output.contains("http://"), "\(report.output)")
  }

  @Test func `Feeds that wait for the network are counted, though they do not count as failing`() throws {
    let list = "https://a.example/feed\nhttps://b.example/feed\n"
    // No connection is possible: nothing listens there.
    let newsd = Program(in: directory, environment: ["NEWSD_NETWORK_PROXY": "http://127.0.0.1:1"])
    #expect(try newsd.run("feeds", "import", directory.write(list, to: "urls")).status == 0)
    #expect(try newsd.run("fetch").status == 69)
    let report = try newsd.run("support")
    #expect(report.output.contains("[failing feeds]\nwaiting_for_network: 2\n"), "\(report.output)")
  }

  @Test func `Without a store, it says so and creates none`() throws {
    let report = try Program(in: directory).run("support")
    #expect(report.status == 0, "\(report.errors)")
    #expect(report.output.contains("\nerror: "), "\(report.output)")
    #expect(try Program(in: directory).run("support").output.contains("\nerror: "))
  }
}
