public import NewsHTTP
public import NewsCore

/// Serves the icons of feeds to everybody who knows their addresses; see `FeedIcons`.
public struct IconEndpoint: HTTPHandling {
  private let icons: FeedIcons

  public init(icons: FeedIcons) { self.icons = icons }

  public var routes: [WebRoute] {
    // Clients of Miniflux make the other paths of an icon's `external_icon_id`.
    [[FeedIcons.folder], ["feed-icon"], ["feed", "icon"]].map { path in
      WebRoute(
        api: "icons",
        path: path,
        foreign: .accepted,
        servesParts: true,
        owner: .picture,
        handler: self
      )
    }
  }

  public func reply(to request: HTTPRequest) async -> HTTPReply {
    do throws(StoreError) {
      guard request.path.count <= 3, let name = request.path.last,
        let picture = try await icons.picture(named: name)
      else {
        return .text(404, "there is no picture at this address\n")
      }
      // The address of a picture changes with its bytes.
      return HTTPReply(type: picture.reference.type.rawValue, picture.bytes)
        .with("Cache-Control", "public, max-age=31536000, immutable")
    } catch {
      return SyncReply.refusal(error)
    }
  }
}
