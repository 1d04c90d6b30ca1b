import NewsHTTP
import NewsCore
import NewsToolbox

/// The endpoints that change items and subscriptions. They answer exactly `OK`, except for `quickadd`.
struct EditEndpoint: GoogleReaderEndpoint {
  enum Kind: CaseIterable {
    case tags, markAll, subscription, quickAdd, renameTag, disableTag

    var path: [String] {
      switch self {
      case .tags: ["edit-tag"]
      case .markAll: ["mark-all-as-read"]
      case .subscription: ["subscription", "edit"]
      case .quickAdd: ["subscription", "quickadd"]
      case .renameTag: ["rename-tag"]
      case .disableTag: ["disable-tag"]
      }
    }
  }

  let kind: Kind
  let streams: SyncStreams

  static var done: HTTPReply { HTTPReply.text(200, "OK") }

  func answer(_ call: GoogleReaderCall) async throws -> HTTPReply {
    let parameters = call.request.parameters
    switch kind {
    case .tags: try await editTags(parameters)
    case .markAll: try await markAll(parameters)
    case .subscription: try await editSubscription(parameters)
    case .quickAdd: return try await quickAdd(parameters)
    case .renameTag: try await renameTag(parameters)
    case .disableTag: try await disableTag(parameters)
    }
    return Self.done
  }

  // MARK: Items

  private func editTags(_ parameters: HTTPParameters) async throws {
    let given = parameters.all("i")
    let added = parameters.all("a").filter { !$0.isEmpty }
    let removed = parameters.all("r").filter { !$0.isEmpty }
    guard !given.isEmpty else {
      // Some clients announce a new folder this way. It exists when a feed is in it.
      guard added.contains(where: { if case .label = StreamName($0) { true } else { false } }) else {
        throw BadRequest("i is missing: name an item")
      }
      return
    }
    guard !added.isEmpty || !removed.isEmpty else { throw BadRequest("a and r are missing: name a state") }
    guard given.count <= ItemContents.largestRequest else {
      throw BadRequest("there are more than \(ItemContents.largestRequest) ids; change them in parts")
    }
    let ids = given.compactMap { ItemIdentifier.read($0) }
    guard !ids.isEmpty else { throw BadRequest("none of the ids belongs to an item") }
    var edit = StreamEdit()
    for name in removed {
      switch StreamName(name) {
      case .state("read"): edit.marks.append(.unread)
      case .state("starred"): edit.marks.append(.unstarred)
      case .label(let label): edit.removedLabels.append(label)
      default: break
      }
    }
    for name in added {
      switch StreamName(name) {
      case .state("read"): edit.marks.append(.read)
      case .state("kept-unread"): edit.marks.append(.unread)
      case .state("starred"): edit.marks.append(.starred)
      case .label(let label): edit.addedLabels.append(label)
      // States of other readers, such as `broadcast`, are ignored.
      default: break
      }
    }
    guard edit != StreamEdit() else { return }
    try await streams.edit(ids, edit)
  }

  private func markAll(_ parameters: HTTPParameters) async throws {
    let names = parameters.all("s").filter { !$0.isEmpty }
    guard !names.isEmpty else { throw BadRequest("s is missing: name a stream") }
    let until = try parameters.number("ts").map { StreamParameters.arrival($0) }
    let catalog = try await streams.catalog()
    var selected: [ItemStream] = []
    for name in names {
      guard let stream = try await StreamName(name)?.stream(streams, catalog) else {
        throw BadRequest("there is no stream \(name)", status: 404)
      }
      selected.append(stream)
    }
    try await streams.store.markRead(StreamRequest(selected, arrivedUntil: until))
  }

  // MARK: Subscriptions

  private func editSubscription(_ parameters: HTTPParameters) async throws {
    let names = parameters.all("s").filter { !$0.isEmpty }
    guard !names.isEmpty else { throw BadRequest("s is missing: name a feed") }
    let title = parameters.first("t").flatMap { $0.isEmpty ? nil : $0 }
    let folder = try Self.folder(parameters.all("a"))
    switch parameters.first("ac") {
    case "subscribe":
      for name in names {
        guard case .feed(let address) = StreamName(name), !address.isEmpty else {
          throw BadRequest("\(name) is not feed/ADDRESS")
        }
        _ = try await streams.subscribe(to: address, title: title, folder: folder)
      }
    case "unsubscribe":
      for feed in try await feeds(names) { try await streams.store.remove(feed.id) }
    case "edit":
      let left = try Self.folder(parameters.all("r"))
      let catalog = try await streams.catalog()
      for feed in try await feeds(names) {
        if let title { try await streams.store.rename(feed.id, to: title) }
        if let folder {
          try await streams.move(feed.id, toFolder: folder)
        } else if let left, let folder = feed.folder, catalog.stream(named: left) == .folder(folder) {
          try await streams.move(feed.id, toFolder: nil)
        }
      }
    default: throw BadRequest("ac is not subscribe, unsubscribe or edit")
    }
  }

  private func feeds(_ names: [String]) async throws -> [Feed] {
    let catalog = try await streams.catalog()
    return try names.map { name throws(BadRequest) in
      guard let feed = StreamName(name)?.feed(catalog) else {
        throw BadRequest("there is no feed \(name)", status: 404)
      }
      return feed
    }
  }

  /// The last folder of `user/-/label/NAME`: a feed can be in only one folder.
  private static func folder(_ names: [String]) throws(BadRequest) -> String? {
    guard let name = names.last(where: { !$0.isEmpty }) else { return nil }
    guard case .label(let folder) = StreamName(name), !folder.isEmpty else {
      throw BadRequest("\(name) is not user/-/label/NAME")
    }
    return folder
  }

  private func quickAdd(_ parameters: HTTPParameters) async throws -> HTTPReply {
    guard let address = parameters.first("quickadd"), !address.isEmpty else {
      throw BadRequest("quickadd is missing: give an address")
    }
    var feed: Feed?
    do {
      feed = try await streams.subscribe(to: Self.address(address)).feed
    } catch let error as FeedAdditionError {
      if case .store = error.code { throw error }
    }
    return SyncReply.object { json in
      json.field("query", address)
      json.field("numResults", feed == nil ? 0 : 1)
      if let feed {
        json.field("streamId", StreamName.feed(feed.id))
        json.field("streamName", feed.visibleTitle)
      }
    }
  }

  private static func address(_ text: String) -> String {
    text.hasPrefix(bytesOf: "feed/") ? String(text.slice(5...)) : text
  }

  private func renameTag(_ parameters: HTTPParameters) async throws {
    guard let name = parameters.first("s") ?? parameters.first("t"), let new = parameters.first("dest"),
      case .label(let old) = StreamName(name), case .label(let label) = StreamName(new), !label.isEmpty
    else { throw BadRequest("s and dest must be user/-/label/NAME") }
    try await streams.renameFolderOrLabel(old, to: label)
  }

  private func disableTag(_ parameters: HTTPParameters) async throws {
    guard let name = parameters.first("s") ?? parameters.first("t"), case .label(let label) = StreamName(name)
    else { throw BadRequest("s must be user/-/label/NAME") }
    try await streams.renameFolderOrLabel(label, to: nil)
  }
}

/// `subscription/import`: a list of subscriptions as the body.
struct ListImport: GoogleReaderEndpoint {
  let streams: SyncStreams

  func answer(_ call: GoogleReaderCall) async throws -> HTTPReply {
    _ = try await streams.importList(call.request.body)
    return EditEndpoint.done
  }
}
