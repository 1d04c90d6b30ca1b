import NewsCore
import NewsToolbox

/// The addresses and names of frames.
extension SanitizingSink {
  private static let longestAddress = 2000
  private static let longestTitle = 200
  /// What the text of a link begins with unless it leads to a video.
  private static let kind = "Embedded"

  /// Resolves the address of a frame into `resolved`, and returns the text of the link to it. Returns nil for frames that
  /// show nothing to read: those without an address on the web, of 1×1 pixels, and of known trackers; and for a second
  /// frame with the same address, which pages have in `noscript`.
  mutating func labelOfFrame(_ tag: borrowing HTMLTag) -> String? {
    guard !isTiny(tag) else { return nil }
    for name in [HTMLAttribute.src, .dataSrc, .dataLazySrc] {
      guard let value = tag.value(name), value.count <= Self.longestAddress, resolveFrame(value) else {
        continue
      }
      let address = resolved.string()
      guard let host = WebAddress(address)?.host, !Self.isTracker(address, host) else { return nil }
      guard address != lastFrame else { return nil }
      growth &-= resolved.count &+ Self.longestTitle
      guard growth >= 0 else { return nil }
      lastFrame = address
      let title = tag.text(.title).map { Self.line($0) } ?? ""
      if Self.isVideo(address) { return "▶ " + (title.isEmpty ? "Video" : title) }
      return "\(Self.kind): \(title.isEmpty ? host : "\(title) (\(host))")"
    }
    return nil
  }

  private mutating func resolveFrame(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    resolved.removeAll()
    guard resolve(value, .link, against: base) else { return false }
    if base == nil, ByteText.hasPrefix(resolved.bytes, "//") {
      let rest = resolved.string()
      resolved.removeAll()
      resolved.append("https:")
      resolved.append(rest)
    }
    return WebAddress.isWeb(resolved.string())
  }

  /// Returns a title without line breaks and control characters, cut between two scalars.
  private static func line(_ title: String) -> String {
    var line = String.UnicodeScalarView()
    var length = 0
    for scalar in title.unicodeScalars {
      let isSpace = scalar.value <= 0x20 || (0x7F...0xA0).contains(scalar.value)
      if isSpace, line.last ?? " " == " " { continue }
      let written: Unicode.Scalar = isSpace ? " " : scalar
      length += String(written).utf8.count
      if length > longestTitle { break }
      line.append(written)
    }
    if line.last == " " { line.removeLast() }
    return String(line)
  }

  private static func isVideo(_ address: String) -> Bool {
    [
      "youtube.com/embed/", "youtube-nocookie.com/embed/", "player.vimeo.com/video/",
      "dailymotion.com/embed/",
      "/videos/embed/", "player.twitch.tv/",
    ].contains { address.contains(bytesOf: $0) }
  }

  private static func isTracker(_ address: String, _ host: String) -> Bool {
    let hosts = [
      "doubleclick.net", "googlesyndication.com", "googletagmanager.com", "amazon-adsystem.com", "adnxs.com",
    ]
    return hosts.contains { host == $0 || host.hasSuffix(bytesOf: "." + $0) }
      || address.contains(bytesOf: "facebook.com/plugins/")
  }
}
