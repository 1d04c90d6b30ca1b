import NewsHTTP
import NewsCore
import NewsToolbox

/// Writes the icons of feeds in Fever's format, one at a time, because all of them may have many megabytes.
actor FaviconBody: HTTPBodyStream {
  private let icons: FeedIcons
  private var ids: ArraySlice<Int64>
  private var hasBegun = false
  private var isFirst = true
  private var isDone = false

  init(_ icons: FeedIcons, _ found: some Sequence<PictureReference>) {
    self.icons = icons
    ids = Set(found.map(\.id)).sorted()[...]
  }

  func next() async throws -> [UInt8]? {
    guard !isDone else { return nil }
    guard hasBegun else {
      hasBegun = true
      return Array(",\"favicons\":[".utf8)
    }
    while let id = ids.popFirst() {
      // A picture may have been replaced meanwhile.
      guard let picture = try await icons.picture(id: id) else { continue }
      var json = JSONWriter(reservingCapacity: picture.bytes.count * 2)
      json.beginObject()
      json.field("id", id)
      json.field("data", picture.base64)
      json.endObject()
      defer { isFirst = false }
      return (isFirst ? [] : [UInt8(ascii: ",")]) + json.bytes
    }
    isDone = true
    return [UInt8(ascii: "]")]
  }
}

extension Picture {
  /// The type and the bytes, as Fever and Miniflux write pictures.
  var base64: String { "\(reference.type.rawValue);base64,\(Base64.encode(bytes))" }
}
