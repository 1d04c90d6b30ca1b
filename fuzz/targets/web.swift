import Modules
@testable import NewsCore
@testable import NewsHTTP
@testable import NewsSync
@testable import NewsToolbox
@testable import NewsWeb

/// An HTTP/1.1 request: target, fields and body are read or refused, and newsd's own output reads back
/// unchanged.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWeb(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
  var rest = (parts.count > 1 ? parts[1] : [])[...]
  var target = RequestTarget(Array(parts[0]))
  target.remove(prefix: ["news"])
  let head = readHead(&rest)
  let body = Array(rest)
  let form = readBody(body, head.fields)
  let request = HTTPRequest(
    target: String(decoding: parts[0], as: UTF8.self),
    path: target.path,
    query: target.query,
    fields: head.fields,
    body: body,
    form: form
  )
  checkAccess(request, target.authority)
  checkList(request)
  checkStreams(target.query)
  checkStreams(form)
  if let value = body.withUnsafeBufferPointer({ JSONValue(valid: $0) }) {
    let text = written(value)
    let again = text.withUnsafeBufferPointer { JSONValue(valid: $0) }
    require(again.map(written) == text, "the body becomes other JSON")
  }
  return 0
}

private func written(_ value: JSONValue) -> [UInt8] {
  var writer = JSONWriter()
  writer.value(value)
  return writer.takeBytes()
}

/// Reads fields until an empty line.
private func readHead(_ rest: inout ArraySlice<UInt8>) -> RequestHead {
  var head = RequestHead()
  while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
    let line = Array(rest[..<end])
    rest = rest[(end + 1)...]
    guard !line.isEmpty else { break }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
    let name = Array(line[..<colon])
    let value = Array(line[min(colon + 1, line.count)...])
    name.withUnsafeBufferPointer { name in value.withUnsafeBufferPointer { head.add(name, $0) } }
  }
  require(head.length.map { $0 >= 0 } ?? true, "a negative length")
  return head
}

private func readBody(_ body: [UInt8], _ fields: HTTPFields) -> HTTPParameters {
  var request = HTTPRequest(fields: fields, body: body)
  guard (try? FormReader.read(&request)) != nil else { return HTTPParameters() }
  require(
    request.files.reduce(0) { $0 + $1.bytes.count } <= body.count,
    "files that are larger than the body"
  )
  return request.form
}

private func checkAccess(_ request: HTTPRequest, _ authority: String?) {
  let proxies = ClientAddress(trusted: [IPNetwork("127.0.0.0/8"), IPNetwork("::1")].compactMap { $0 })
  let client = proxies.client(peer: IPAddress("127.0.0.1"), request.fields)
  require(IPAddress(client) != nil, "\(client) is not an address")
  let host = authority ?? request.fields.first("Host") ?? ""
  let isLocal = ["localhost", "127.0.0.1", "::1"].contains(HostRule.name(of: host))
  require(HostRule().accepts(host) { nil } == isLocal, "\(host) is accepted")
  if let value = request.fields.first("Authorization") { _ = value.withBytes { Base64.decode($0) } }
  _ = request.isForeign
  _ = RequestGuard.cookie("newsd", of: request)
}

/// The path of a list leads to the list.
private func checkList(_ request: HTTPRequest) {
  guard let list = ListAddress(path: request.path, query: request.query) else { return }
  let again = RequestTarget(Array(list.path.utf8))
  // A folder or saved search without a name is not a list.
  guard let second = ListAddress(path: again.path, query: again.query) else { return }
  require(second.path == list.path, "\(list.path) becomes \(second.path)")
  _ = list.list
}

private func checkStreams(_ parameters: HTTPParameters) {
  let catalog = SyncCatalog(StreamNames(labels: ["Label"]), FolderSeparator("::"))
  _ = FeverMark(parameters)
  _ = FeverItems(parameters, catalog)
  for (_, value) in parameters.pairs {
    let name = StreamName(value)
    _ = name?.feed(catalog)
    if case .label(let label) = name { _ = catalog.stream(named: label) }
    // Greater numbers are ids in their long form.
    guard let id = ItemIdentifier.read(value), id.rawValue < 1_000_000_000_000_000 else { continue }
    require(ItemIdentifier.read(ItemIdentifier.long(id.rawValue)) == id, "\(value) is another item")
  }
}
