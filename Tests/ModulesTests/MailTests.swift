import Foundation
import NewsCore
import NewsToolbox
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

@Suite struct `Mail` {
  @Test(arguments: [
    ("Plain ASCII", "Plain ASCII"), ("Grüße", "=?utf-8?B?R3LDvMOfZQ==?="),
    ("=?utf-8?Q?x?=", "=?utf-8?B?PT91dGYtOD9RP3g/PQ==?="),
    ("two  spaces", "=?utf-8?B?dHdvICBzcGFjZXM=?="),
  ])
  func `A subject is encoded only if necessary`(_ text: String, _ expected: String) {
    #expect(MailText.unstructured(text, indent: 9) == expected)
  }

  @Test func `Long subjects are folded into short lines that unfold to the same text`() {
    let words = (1...60).map { "word\($0)" }.joined(separator: " ")
    let folded = MailText.unstructured(words, indent: 9)
    #expect(folded.split(separator: "\n").allSatisfy { $0.count <= 78 })
    #expect(folded.replacingOccurrences(of: "\n", with: "") == words)
    let long = MailText.unstructured(String(repeating: "ü", count: 200), indent: 9)
    #expect(long.split(separator: "\n").allSatisfy { $0.count <= 76 && $0.hasSuffix("?=") })
  }

  @Test(arguments: [
    ("From here\n>From there\n.", "=46rom here\n=3EFrom there\n=2E"), ("a=b", "a=3Db"),
    ("end \nnext\t", "end=20\nnext=09"),
    ("ä", "=C3=A4"), ("", ""),
  ])
  func `Quoted-printable encodes line starts that mail programs would change, and spaces at line ends`(
    _ text: String,
    _ expected: String
  ) {
    #expect(MailText.quotedPrintable(text) == expected)
  }

  @Test func `Long body lines get soft breaks`() {
    let text = MailText.quotedPrintable(String(repeating: "From ", count: 40))
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 76 && !$0.hasPrefix("From ") })
    #expect(
      text.replacingOccurrences(of: "=\n", with: "").replacingOccurrences(of: "=46", with: "F").hasPrefix(
        "From From "
      )
    )
  }

  @Test(arguments: [("", ""), ("M", "TQ=="), ("Ma", "TWE="), ("Man", "TWFu"), ("Many", "TWFueQ==")])
  func `Base64 follows RFC 4648`(_ text: String, _ expected: String) {
    #expect(Base64.encode(Array(text.utf8)) == expected)
  }

  @Test func `The stable id of an item is an FNV-1a hash that does not depend on the title`() {
    let item = NewsItem.sample(1, "x")
    #expect(StableID(item).hexadecimal == StableID(.sample(1, "another title")).hexadecimal)
    #expect(StableID("").hexadecimal == "6c62272e07bb014262b821756295c58d")
    #expect(StableID("a").hexadecimal == "d228cb696f1a8caf78912b704e4a8964")
    #expect(StableID("a").urn == "urn:uuid:d228cb69-6f1a-8caf-b891-2b704e4a8964")
  }

  @Test(arguments: [
    ("https://example.org/?p=1", true), ("tag:example.org,2026:1", true), ("urn:uuid:x", true),
    ("12345", false),
    ("has space: x", false), ("http://x/\u{202E}", false), ("http://x/%zz", false), (":x", false),
  ])
  func `A guid is the Atom id only if it is an IRI`(_ guid: String, _ stays: Bool) {
    var item = NewsItem.sample(1, "x")
    item.guid = guid
    #expect((StableID.iri(of: item) == guid) == stays)
  }

  @Test func `A Maildir gets each message once, even if the message was removed`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "newsd-maildir-\(UUID().uuidString)"
    )
    defer { try? FileManager.default.removeItem(at: folder) }
    func deliver(_ items: [NewsItem]) throws {
      let maildir = try Maildir(path: folder.path)
      let output = try ItemOutput(format: .maildir, mailDirectory: maildir, terminal: .plain())
      let content = NewsListViewModel(items: items.map { ItemMatch(item: $0) })
      #expect(try rendered(view(output, { NewsListView(terminal: $0) }), content) == "")
    }
    func files(_ name: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(name).path).sorted()
    }
    let items = [NewsItem.sample(1, "read", isStarred: true), .sample(2, "unread", isRead: false)]
    try deliver(items)
    #expect(try files("cur").map { $0.hasSuffix(":2,FS") } == [true])
    #expect(try files("new").count == 1)
    #expect(try files("tmp").isEmpty)
    let message = folder.appendingPathComponent("new").appendingPathComponent(try files("new")[0])
    #expect(try String(contentsOf: message, encoding: .utf8).contains("\nSubject: unread\n"))
    try FileManager.default.removeItem(at: message)
    try deliver(items + [.sample(3, "third", isRead: false)])
    #expect(try files("cur").count == 1)
    #expect(try files("new").count == 1)
  }

  @Test(arguments: [(253_402_300_799, 0), (-62_135_596_800, 0), (-3600, -3600)] as [(Int64, Int64)])
  func `The date of a mail is the item's sort time, or the time stored if that is before 1900`(
    _ published: Int64,
    _ shift: Int64
  ) {
    var item = NewsItem.sample(1, "x")
    item.published = shift == 0 ? Timestamp(seconds: published) : item.stored + shift
    #expect(MailComposer.time(item) == item.stored + shift)
  }

  @Test(arguments: [".newsd-delivered", "new", "cur", "tmp"])
  func `A Maildir in which another user has put a link or a pipe is refused`(_ name: String) throws {
    let root = FileManager.default.temporaryDirectory.path + "/newsd-maildir-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: root + "/other", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let mail = root + "/mail"
    mkdir(mail, 0o700)
    symlink(root + "/other", "\(mail)/\(name)")
    #expect(throws: UserMessage.self) { try Maildir(path: mail) }
    unlink("\(mail)/\(name)")
    mkfifo("\(mail)/\(name)", 0o600)
    #expect(throws: UserMessage.self) { try Maildir(path: mail) }
  }

  @Test func `A message is not written through a link that has its draft's name`() throws {
    let root = FileManager.default.temporaryDirectory.path + "/newsd-maildir-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    let mail = try Maildir(path: root + "/mail")
    try "keep".write(toFile: root + "/victim", atomically: false, encoding: .utf8)
    let id = String(repeating: "a", count: 32)
    symlink(root + "/victim", "\(root)/mail/tmp/9.newsd-\(id).localhost.\(getpid())")
    try mail.deliver(Array("x".utf8), id: id, time: Timestamp(seconds: 9), isSeen: false, isFlagged: false)
    #expect(try String(contentsOfFile: root + "/victim", encoding: .utf8) == "keep")
    let target = "\(root)/mail/new/9.newsd-\(id).localhost"
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "x")
  }

  @Test func `A directory that cannot be created is an error`() {
    #expect(throws: UserMessage.self) { try Maildir(path: "/proc/newsd/mail") }
  }

  @Test func `A format is rejected for the wrong kind of record, and without its directory or template`() {
    #expect(throws: UserMessage.self) { try ItemOutput(format: .maildir, terminal: .plain()) }
    #expect(throws: UserMessage.self) { try ItemOutput(format: .opml, terminal: .plain()) }
    #expect(throws: UserMessage.self) {
      try OutputShape(format: .atom, terminal: .plain()).feedView(text: SubscriptionsView(terminal: .plain()))
    }
    #expect(throws: UserMessage.self) { try ItemOutput(format: .template, terminal: .plain()) }
  }
}
