/// A feed that was found at an address, with what its document says; nothing of it is stored.
public struct FeedCandidate: Sendable {
  public var url: String
  /// The title that the page gives it; nil: none, or the address is that of the feed itself.
  public var pageTitle: String?
  /// The feed's document, with what a choice shows of its newest items; nil: it could not be read.
  public var feed: ParsedFeed?
  /// Why the document could not be read.
  public var problem: String?
  /// The subscription with this address; nil: none.
  public var subscribed: Feed?
  public var icon: Icon?
  /// True: its address is not public, and the user has typed its origin.
  public var isLocal = false

  /// A small picture, checked by its bytes.
  public struct Icon: Hashable, Sendable {
    public var type: PictureType
    public var bytes: [UInt8]
  }
}

extension ParsedFeed {
  private static let itemsForChoice = 1000

  /// The feed with what a choice shows of its newest items: several large documents can be read for one choice.
  fileprivate var forChoice: ParsedFeed {
    var feed = self
    var places = Array(items.indices)
    if places.count > Self.itemsForChoice {
      places.sort {
        (items[$1].published?.seconds ?? .min, $0) < (items[$0].published?.seconds ?? .min, $1)
      }
      places = places.prefix(Self.itemsForChoice).sorted()
    }
    feed.items = places.map { place in
      var item = ParsedItem()
      item.title = items[place].title
      if item.title == nil { item.contentText = items[place].contentText }
      item.url = items[place].url
      item.published = items[place].published
      return item
    }
    return feed
  }
}

// MARK: - Looking feeds up

extension FeedAdder {
  /// Maximum number of feeds that are read for a choice.
  private static let candidateLimit = 6
  /// Maximum bytes of an icon, and milliseconds for its request.
  private static let iconBytes = 64 << 10
  private static let iconTimeout = 5_000

  /// Returns the feeds at an address, best first: the feed itself, or the feeds of the page there. Stores nothing.
  public func find(_ typed: String) async throws(FeedAdditionError) -> [DiscoveredFeed] {
    let (response, source) = try await page(typed)
    do {
      let feed = try await parse(response, encoding: nil).feed
      return [DiscoveredFeed(url: response.url, title: feed.title, mimeType: response.header("Content-Type"))]
    } catch  where error.code == .htmlPage {
      return feeds(on: response, source).feeds
    } catch {
      return []
    }
  }

  /// Reads the feeds at an address: the feed itself, or the feeds of the page there. If the page names none, tries the
  /// usual addresses of feeds on its site. Stores nothing. Throws `notAFeed` if no feed is found.
  ///
  /// `isListedOnly` is for an address that no user typed: only public addresses and those of `network.allow` are asked.
  public func candidates(
    _ typed: String,
    isListedOnly: Bool = false
  ) async throws(FeedAdditionError) -> [FeedCandidate] {
    let (response, source) = try await page(typed, isListedOnly: isListedOnly)
    let address = WebAddress.redacted(response.url)
    do {
      var candidate = FeedCandidate(url: source.typed)
      candidate.feed = try await parse(response, encoding: nil).feed.forChoice
      candidate.isLocal = response.reachedLocalAddress == true
      return [await described(candidate, source)]
    } catch  where error.code == .htmlPage {
      let (found, next) = feeds(on: response, source)
      if !found.isEmpty { return await read(found, next) }
      let guesses = discoverer.guesses(forPage: response.url).filter { $0.url != response.url }
      if let guess = await read(Array(guesses.prefix(maximumGuesses)), next).first(where: { $0.feed != nil })
      {
        return [guess]
      }
      let text = "\(address) is an HTML page that names no feed, and none was found at the usual addresses"
      throw FeedAdditionError(code: .notAFeed, message: text)
    } catch {
      throw FeedAdditionError(code: .notAFeed, message: "\(address) is not a feed: \(error.message)")
    }
  }

  /// Fetches what was typed.
  private func page(
    _ typed: String,
    isListedOnly: Bool = false
  ) async throws(FeedAdditionError) -> (FetchResponse, Source) {
    let url: String
    do {
      url = try TypedAddress.url(typed)
    } catch {
      throw FeedAdditionError(code: .badURL, message: error.message)
    }
    guard WebAddress.isWeb(url) else {
      throw FeedAdditionError(
        code: .badURL,
        message: "only http and https addresses can be searched for feeds"
      )
    }
    let source = Source(typed: url, isPublicOnly: isListedOnly, isListedOnly: isListedOnly)
    do {
      return (try await fetch(url, source, FeedAdditionOptions()), source)
    } catch {
      throw error.additionError
    }
  }

  /// The feeds that a page names, and where requests to them may lead.
  private func feeds(on page: FetchResponse, _ source: Source) -> (feeds: [DiscoveredFeed], next: Source) {
    var next = source
    next.reachedLocalAddress = page.reachedLocalAddress
    var seen = Set<String>()
    let found = discoverer.feeds(inPage: document(page, FeedAdditionOptions())).filter {
      WebAddress.isWeb($0.url) && seen.insert($0.url).inserted
    }
    return (found, next)
  }

  private func read(_ found: [DiscoveredFeed], _ source: Source) async -> [FeedCandidate] {
    await withTaskGroup(of: (Int, FeedCandidate).self) { group in
      for (place, feed) in found.prefix(Self.candidateLimit).enumerated() {
        group.addTask { (place, await read(feed, source)) }
      }
      var candidates: [(Int, FeedCandidate)] = []
      for await candidate in group { candidates.append(candidate) }
      return candidates.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  private func read(_ found: DiscoveredFeed, _ source: Source) async -> FeedCandidate {
    var candidate = FeedCandidate(url: found.url, pageTitle: found.title)
    do {
      let response = try await fetch(found.url, source, FeedAdditionOptions())
      candidate.feed = try await parse(response, encoding: nil).feed.forChoice
      candidate.isLocal = response.reachedLocalAddress == true
    } catch let error as Obstacle {
      candidate.problem = error.failure.message
    } catch let error as FeedParseError {
      candidate.problem = error.message
    } catch {
      candidate.problem = "\(error)"
    }
    return await described(candidate, source)
  }

  /// Adds the subscription and the icon.
  private func described(_ candidate: FeedCandidate, _ source: Source) async -> FeedCandidate {
    var candidate = candidate
    if let feed = try? await subscriptions.feed(named: candidate.url), feed.url == candidate.url {
      candidate.subscribed = feed
    }
    if let address = candidate.feed?.iconAddress { candidate.icon = await icon(address, source) }
    return candidate
  }

  private func icon(_ address: String, _ source: Source) async -> FeedCandidate.Icon? {
    var limits = options.limits
    limits.bodyBytes = min(limits.bodyBytes, Self.iconBytes)
    limits.totalTimeout = min(limits.totalTimeout, Self.iconTimeout)
    let request = FetchRequest(
      url: address,
      limits: limits,
      reach: reach(source),
      isUrgent: true,
      content: .picture
    )
    guard let response = try? await fetcher.fetch(request), response.status == 200, !response.isTruncated,
      let header = PictureHeader(response.body)
    else { return nil }
    return FeedCandidate.Icon(type: header.type, bytes: response.body)
  }
}
