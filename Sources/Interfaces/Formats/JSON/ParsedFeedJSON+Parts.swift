import NewsCore
import NewsToolbox

/// Writes the values that feeds and items share, and the values of extension objects.
extension ParsedFeedJSON {
  static func write(problems: [SyntaxProblem], into json: inout JSONWriter) {
    json.objects("errors", problems) { json, problem in
      json.field("line", problem.line)
      json.field("column", problem.column)
      json.field("message", problem.message)
    }
  }

  /// Writes authors. Uses the e-mail address as the name of an author without one, because JSON Feed has no key for
  /// addresses.
  static func write(authors: [Author], into json: inout JSONWriter) {
    let known = authors.filter { $0.name != nil || $0.url != nil || $0.email != nil }
    json.objects("authors", known) { json, author in
      json.field("name", author.name ?? author.email)
      json.field("url", author.url)
      json.field("avatar", author.avatar)
    }
  }

  /// Writes the label of each tag, which RFC 4287 section 4.2.2.3 intends for display, or else its term. Writes a
  /// repeated name, for example from two schemes, once.
  static func write(tagNames tags: [Category], into json: inout JSONWriter) {
    guard !tags.isEmpty else { return }
    var seen: Set<String> = []
    json.array("tags", tags) { json, tag in
      let name = tag.label ?? tag.term
      if !name.isEmpty, seen.insert(name).inserted { json.value(name) }
    }
  }

  /// Writes attachments. JSON Feed requires a type: if the document names none, uses the type of unknown bytes (RFC
  /// 2046 section 4.5.1).
  static func write(attachments: [Enclosure], into json: inout JSONWriter) {
    json.objects("attachments", attachments) { json, attachment in
      json.field("url", attachment.url)
      json.field("mime_type", attachment.mimeType ?? "application/octet-stream")
      json.field("title", attachment.title)
      json.field("size_in_bytes", attachment.size)
      json.field("duration_in_seconds", attachment.duration)
    }
  }

  static func write(_ name: StaticString, _ links: [Link], into json: inout JSONWriter) {
    json.objects(name, links) { json, link in write(fieldsOf: link, into: &json) }
  }

  private static func write(fieldsOf link: Link, into json: inout JSONWriter) {
    json.field("href", link.href)
    json.field("rel", link.rel)
    json.field("type", link.type)
    json.field("title", link.title)
    json.field("hreflang", link.hreflang)
    json.field("length", link.length)
  }

  static func write(_ name: StaticString, _ tags: [Category], into json: inout JSONWriter) {
    json.objects(name, tags) { json, tag in
      json.field("term", tag.term)
      json.field("scheme", tag.scheme)
      json.field("label", tag.label)
    }
  }

  static func write(_ name: StaticString, _ people: [Author], into json: inout JSONWriter) {
    json.objects(name, people) { json, person in write(fieldsOf: person, into: &json) }
  }

  static func write(_ name: StaticString, _ person: Author?, into json: inout JSONWriter) {
    guard let person else { return }
    json.object(name) { json in write(fieldsOf: person, into: &json) }
  }

  private static func write(fieldsOf person: Author, into json: inout JSONWriter) {
    json.field("name", person.name)
    json.field("url", person.url)
    json.field("email", person.email)
  }

  static func write(_ generator: Generator?, into json: inout JSONWriter) {
    guard let generator else { return }
    json.object("generator") { json in
      json.field("name", generator.name)
      json.field("url", generator.url)
      json.field("version", generator.version)
    }
  }

  static func write(_ image: FeedImage?, into json: inout JSONWriter) {
    guard let image else { return }
    json.object("image") { json in
      json.field("url", image.url)
      json.field("title", image.title)
      json.field("link", image.link)
      json.field("width", image.width)
      json.field("height", image.height)
      json.field("description", image.description)
    }
  }

  static func write(_ source: ItemSource, into json: inout JSONWriter) {
    json.object("source") { json in
      json.field("title", source.title)
      json.field("subtitle", source.subtitle)
      json.field("id", source.id)
      json.field("url", source.url)
      write("links", source.links, into: &json)
      json.field("updated", source.updated?.rfc3339)
      json.field("rights", source.rights)
      json.field("icon", source.icon)
      json.field("logo", source.logo)
      write(source.generator, into: &json)
      write("authors", source.authors, into: &json)
      write("contributors", source.contributors, into: &json)
      write("tags", source.tags, into: &json)
    }
  }

  static func write(_ extensions: ItemExtensions, into json: inout JSONWriter) {
    writePodcast(extensions, into: &json)
    writeMedia(extensions, into: &json)
    writeThreading(extensions, into: &json)
    if let point = extensions.point {
      json.object("geo") { json in
        json.key("latitude")
        json.value(point.latitude)
        json.key("longitude")
        json.value(point.longitude)
      }
    }
    json.field("markdown", extensions.markdown)
  }

  private static func writePodcast(_ podcast: ItemExtensions, into json: inout JSONWriter) {
    let isPresent =
      podcast.episode != nil || podcast.season != nil || podcast.episodeType != nil
      || podcast.chapters != nil || !podcast.transcripts.isEmpty || !podcast.persons.isEmpty
    guard isPresent else { return }
    json.object("podcast") { json in
      json.field("season", podcast.season)
      json.field("episode", podcast.episode)
      json.field("episode_type", podcast.episodeType)
      if let chapters = podcast.chapters {
        json.object("chapters") { json in write(fieldsOf: chapters, into: &json) }
      }
      write("transcripts", podcast.transcripts, into: &json)
      json.objects("persons", podcast.persons) { json, person in
        json.field("name", person.name)
        json.field("role", person.role)
        json.field("group", person.group)
        json.field("image", person.image)
        json.field("url", person.url)
      }
    }
  }

  private static func writeMedia(_ media: ItemExtensions, into json: inout JSONWriter) {
    let isPresent =
      !media.media.isEmpty || !media.thumbnails.isEmpty || !media.players.isEmpty || !media.credits.isEmpty
      || media.mediaTitle != nil || media.mediaDescription != nil
    guard isPresent else { return }
    json.object("media") { json in
      json.field("title", media.mediaTitle)
      json.field("description", media.mediaDescription)
      json.objects("contents", media.media) { json, object in
        json.field("url", object.url)
        json.field("type", object.type)
        json.field("medium", object.medium)
        json.field("width", object.width)
        json.field("height", object.height)
        json.field("duration", object.duration)
        json.field("size_in_bytes", object.size)
        json.field("title", object.title)
      }
      json.objects("thumbnails", media.thumbnails) { json, thumbnail in
        json.field("url", thumbnail.url)
        json.field("width", thumbnail.width)
        json.field("height", thumbnail.height)
      }
      json.texts("players", media.players)
      json.objects("credits", media.credits) { json, credit in
        json.field("name", credit.name)
        json.field("role", credit.role)
        json.field("scheme", credit.scheme)
      }
    }
  }

  private static func writeThreading(_ threading: ItemExtensions, into json: inout JSONWriter) {
    let isPresent =
      threading.commentCount != nil || threading.commentsFeedURL != nil || !threading.inReplyTo.isEmpty
    guard isPresent else { return }
    json.object("threading") { json in
      json.field("count", threading.commentCount)
      json.field("comments_feed", threading.commentsFeedURL)
      json.objects("in_reply_to", threading.inReplyTo) { json, target in
        json.field("ref", target.ref)
        json.field("href", target.href)
        json.field("type", target.type)
        json.field("source", target.source)
      }
    }
  }
}
