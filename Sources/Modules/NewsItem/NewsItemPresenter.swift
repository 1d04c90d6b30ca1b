import NewsCore

/// Formats an item as a page.
public struct NewsItemPresenter: Sendable {
  let showsText: Bool
  private let times: TimeDisplay

  public init(_ needs: ItemNeeds, times: TimeDisplay) {
    showsText = needs.showsHeadlines
    self.times = times
  }

  /// Presents one item. `body` is nil if the item has no HTML or the view shows records only. `count` is the
  /// number of items shown so far, this one included; nil: this is the last. `refusal` is the reason why the
  /// item's page gave no article.
  func present(
    _ item: NewsItem,
    body: RichText?,
    states: [EnclosureState] = [],
    count: Int?,
    refusal: String? = nil
  ) -> Container<NewsItemViewModel> {
    var content = NewsItemViewModel()
    if showsText { content.page = page(item, body, states) } else { content.items = [ItemMatch(item: item)] }
    if let refusal {
      content.refusal = DisplayText(line: refusal)
      content.warnings = [DisplayText(line: "item \(item.id.rawValue) keeps the feed's text: \(refusal)")]
    }
    guard let count else { return .ready(content) }
    return .loading(Progress(done: count), keeping: content)
  }

  /// The failure for a request without ids, such as one from an empty list.
  func nothing() -> UserMessage {
    UserMessage(code: .nothingMatched, text: "no IDs were given, so there is nothing to show")
  }

  func missing(_ ids: [NewsItem.ID]) -> UserMessage {
    let list = ids.map { String($0.rawValue) }.joined(separator: ", ")
    let text = ids.count == 1 ? "there is no item \(list)" : "there are no items \(list)"
    return UserMessage(code: .notFound, text: text)
  }

  private func page(_ item: NewsItem, _ body: RichText?, _ states: [EnclosureState]) -> NewsItemPage {
    let authors = Self.authors(of: item)
    return NewsItemPage(
      id: item.id,
      feedID: item.feedID,
      feed: DisplayText(line: item.shownFeed),
      authors: authors.isEmpty ? nil : DisplayText(line: authors),
      authorNames: item.authors.map { DisplayText(line: $0.displayName).string }.filter { !$0.isEmpty },
      title: DisplayText(line: item.shownTitle).trimmed,
      isTitledByText: item.isTitledByText,
      url: item.url,
      commentsURL: item.commentsURL,
      language: item.language,
      sortTime: item.sortTime,
      isRead: item.isRead,
      isStarred: item.isStarred,
      tags: item.tags,
      labels: item.labels,
      isInStory: item.story != nil,
      facts: facts(item, links: body?.links.count ?? 0),
      pictures: item.picturesAboveText,
      recordings: recordings(of: item, states),
      cover: item.image ?? item.media?.pictures.first?.url,
      chapters: item.media?.chapters?.href,
      markup: item.contentHTML.flatMap { $0.isEmpty ? nil : $0 },
      body: body.flatMap { $0.blocks.isEmpty ? nil : $0 },
      plainBody: DisplayText(block: item.contentText.isEmpty ? item.summary ?? "" : item.contentText),
      links: body?.links.map { DisplayText(line: $0) } ?? []
    )
  }

  private func recordings(of item: NewsItem, _ states: [EnclosureState]) -> [NewsItemPage.Recording] {
    let played = states.filter { $0.enclosure.recordingKind != nil }
    return played.map { state in
      let enclosure = state.enclosure
      // The item's playing time is that of its only recording.
      let duration = enclosure.duration ?? (played.count == 1 ? item.media?.duration : nil)
      return NewsItemPage.Recording(
        number: state.number,
        url: enclosure.url,
        text: DisplayText(line: text(enclosure)),
        isVideo: enclosure.recordingKind == .video,
        position: state.position,
        isPlayed: state.isPlayed,
        title: enclosure.title.map { DisplayText(line: $0) },
        size: enclosure.size.flatMap { $0 > 0 ? DisplayText(line: ByteCountText.text($0)) : nil },
        duration: duration.flatMap { $0 > 0 ? DisplayText(line: DurationDisplay.text($0)) : nil }
      )
    }
  }

  private static func authors(of item: NewsItem) -> String {
    item.authors.map(\.displayName).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The facts of the item. The numbers of attached files follow those of the text's `links`.
  private func facts(_ item: NewsItem, links: Int) -> [NewsItemPage.Fact] {
    var facts: [NewsItemPage.Fact] = []
    var last = links
    func add(_ name: StaticString, _ value: String, url: String? = nil, isNumbered: Bool = false) {
      guard !value.isEmpty else { return }
      if isNumbered { last += 1 }
      let number = isNumbered ? last : nil
      facts.append(.init(name: DisplayText(name), value: DisplayText(line: value), url: url, number: number))
    }
    func attach(_ name: StaticString, _ url: String, note: String? = nil) {
      let note = note.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(Self.noteLength))) }
      add(name, (note.map { $0 + ": " } ?? "") + url, url: url, isNumbered: true)
    }
    add("Feed", item.shownFeed)
    add("By", Self.authors(of: item))
    if let published = item.published {
      add("Date", date(published))
    } else {
      add("Stored", date(item.stored))
    }
    if let updated = item.updated, updated != item.published { add("Updated", date(updated)) }
    add("Tags", item.tags.joined(separator: ", "))
    add("Labels", item.labels.joined(separator: ", "))
    add("Link", item.url ?? "", url: item.url)
    if item.article?.state == .fetched { add("Text", "the article on the page") }
    add("Comments", item.commentsURL ?? "", url: item.commentsURL)
    if let media = item.media {
      if let episode = media.episode {
        add("Episode", episode + (media.season.map { " of season \($0)" } ?? ""))
      } else {
        add("Season", media.season ?? "")
      }
      if let duration = media.duration { add("Duration", DurationDisplay.text(duration)) }
    }
    for enclosure in item.enclosures { add("File", text(enclosure), url: enclosure.url, isNumbered: true) }
    let attached = Set(item.enclosures.map(\.url))
    for picture in item.picturesBesideText where !attached.contains(picture.url) {
      attach("Picture", picture.url, note: picture.alt)
    }
    if let chapters = item.media?.chapters { attach("Chapters", chapters.href) }
    for transcript in item.media?.transcripts ?? [] {
      attach("Transcript", transcript.href, note: transcript.hreflang ?? transcript.type)
    }
    let marks = [item.isRead ? "read" : "unread"] + (item.isStarred ? ["starred"] : [])
    add("Item", "\(item.id.rawValue), \(marks.joined(separator: ", "))")
    return facts
  }

  private func date(_ time: Timestamp) -> String {
    let age = times.age(time)
    let isDate = age.contains("-")
    return times.zone.format(time, "%a %d %b %Y %H:%M %Z")
      + (isDate || age == "now" ? "" : " (\(age) ago)")
  }

  private func text(_ enclosure: Enclosure) -> String {
    var notes: [String] = []
    if let type = enclosure.mimeType { notes.append(type) }
    if let size = enclosure.size, size > 0 { notes.append(ByteCountText.text(size)) }
    if let duration = enclosure.duration, duration > 0 { notes.append(DurationDisplay.text(duration)) }
    let title = enclosure.title.map { "\($0): " } ?? ""
    return title + enclosure.url + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
  }

  /// Maximum number of Unicode scalars of a note before a URL.
  private static let noteLength = 200
}

/// Playing times.
public enum DurationDisplay {
  /// Returns a time such as `04:05` or `1:02:03`.
  public static func text(_ seconds: Int64) -> String {
    func pad(_ value: Int64) -> String { value < 10 ? "0\(value)" : String(value) }
    let rest = "\(pad(seconds / 60 % 60)):\(pad(seconds % 60))"
    return seconds >= 3600 ? "\(seconds / 3600):\(rest)" : rest
  }
}
