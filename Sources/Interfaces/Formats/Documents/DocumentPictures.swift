public import NewsCore
import NewsToolbox

/// The pictures that a document contains as `data:` addresses, so that it shows them without a network.
public struct DocumentPictures: Sendable {
  private var addresses: [String: KeptPicture] = [:]

  public init(_ pictures: [KeptPicture] = []) {
    for picture in pictures { addresses[picture.url] = picture }
  }

  var isEmpty: Bool { addresses.isEmpty }

  /// The `data:` address of the picture that the feed names by this URL.
  subscript(_ url: String) -> String? {
    addresses[url].map { "data:\($0.type.rawValue);base64,\(Base64.encode($0.bytes))" }
  }
}
