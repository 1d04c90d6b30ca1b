import NewsCore
import NewsToolbox

/// Tracks the bases of relative links and the languages: `xml:base`, `xml:lang`, and the channel's link in RSS.
extension FeedBuilder {
  mutating func readScopedAttributes(_ attributes: XMLAttributes) {
    for index in 0..<attributes.count {
      guard let attribute = attributes[index], Self.isXML(attribute.prefix) else { continue }
      let name = ByteText.buffer(attribute.name)
      if ByteText.equals(name, "base") {
        let reference = XMLAttributes.unescaped(ByteText.trimmed(attribute.value))
        // A base resolves against the enclosing base, or else the address of the document. Only if both are
        // unknown, it resolves against the channel link.
        let outer = (inherited.bases.last ?? nil) ?? inherited.documentBase ?? inherited.channelBase
        if inherited.bases.isEmpty { inherited.relativeBase = outer == nil ? reference : nil }
        let resolved = URLResolver.resolve(reference, against: outer, policy: .link)
        inherited.bases.append(resolved.flatMap { makeBase($0) } ?? outer)
        if frames[place.depth - 1].rule.pointee.kind == .markup { markup.bases += 1 }
        frames[place.depth - 1].changesBase = true
        updateBase()
      } else if ByteText.equals(name, "lang") {
        inherited.languages.append(Self.languageTag(attribute.value) ?? "")
        frames[place.depth - 1].changesLanguage = true
      }
    }
  }

  mutating func updateBase() {
    let own = inherited.channelBase ?? inherited.documentBase
    // Resolve a relative base that could not be resolved before.
    if let unresolved = inherited.relativeBase, inherited.bases.count == 1, inherited.bases[0] == nil,
      own != nil
    {
      inherited.bases[0] = URLResolver.resolve(unresolved, against: own, policy: .link).flatMap {
        makeBase($0)
      }
    }
    inherited.base = (inherited.bases.last ?? nil) ?? own
  }

  /// Creates a base. If `url` is too long for a base, records a finding and returns nil.
  mutating func makeBase(_ url: String) -> BaseURL? {
    if url.utf8.count > BaseURL.maximumLength {
      note(
        .base,
        "a base URL is longer than \(BaseURL.maximumLength) bytes; it is ignored"
      )
    }
    return BaseURL(url)
  }

  /// In RSS, if no channel link has been read yet, searches the whole document for it, once: the links of
  /// items resolve against it, and it may follow the items.
  @inline(__always)
  mutating func lookAheadForBase() {
    if inherited.channelBase == nil, !inherited.hasLookedAhead, FeedFormat.isRSS(feed.format) { lookAhead() }
  }

  @inline(never)
  private mutating func lookAhead() {
    inherited.hasLookedAhead = true
    guard let base = settings.findChannelLink?() else { return }
    inherited.channelBase = base
    updateBase()
  }

  /// The inherited `xml:lang`.
  var scopedLanguage: String? {
    mutating get {
      guard let language = inherited.languages.last, !language.isEmpty else { return nil }
      return language
    }
  }

  /// Normalizes `en_US` to `en-US` (BCP 47).
  static func languageTag(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let trimmed = ByteText.trimmed(bytes)
    guard !trimmed.isEmpty, trimmed.count <= 64 else { return nil }
    return String(streamSafe: trimmed.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 })
  }
}
