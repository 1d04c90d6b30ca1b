/// Finds the route of a request. Called on the server's threads, so it must not wait.
public protocol WebRouting: Sendable {
  func route(for path: [String], method: HTTPMethod) -> WebRoute?
}

/// Finds the route of a request among fixed ones.
public struct WebRouter: WebRouting {
  private let routes: [WebRoute]
  /// Indexes of routes by their first path segment, so that each request is compared with few routes.
  private let byFirst: [String: [Int]]
  private let general: [Int]

  public init(_ routes: [WebRoute]) {
    // Sort by length of the path, longest first.
    let sorted = routes.sorted { $0.path.count > $1.path.count }
    self.routes = sorted
    var byFirst: [String: [Int]] = [:]
    for (index, route) in sorted.enumerated() {
      if let first = route.path.first { byFirst[first, default: []].append(index) }
    }
    self.byFirst = byFirst
    general = sorted.indices.filter { sorted[$0].path.isEmpty }
  }

  /// Returns the route with the longest matching path; nil if there is none. If several routes have that
  /// path, returns the first that allows the method, or, if none does, the first.
  public func route(for path: [String], method: HTTPMethod) -> WebRoute? {
    let candidates = (path.first.flatMap { byFirst[$0] } ?? []) + general
    var found: WebRoute?
    for index in candidates {
      let route = routes[index]
      guard route.isExact ? path == route.path : path.starts(with: route.path) else { continue }
      if let found, found.path.count > route.path.count { break }
      if route.allows(method) { return route }
      if found == nil { found = route }
    }
    return found
  }
}

extension WebRoute {
  func allows(_ method: HTTPMethod) -> Bool {
    methods.contains(method) || method == .head && methods.contains(.get)
  }

  /// The value of the Allow field.
  var allowedMethods: String {
    var names = methods.map(\.name)
    if methods.contains(.get), !methods.contains(.head) { names.insert("HEAD", at: 1) }
    if !methods.contains(.options) { names.append("OPTIONS") }
    return names.joined(separator: ", ")
  }

  /// The header fields that every answer has.
  var fields: [(name: String, value: String)] {
    // Never together with Access-Control-Allow-Credentials: cookies and remembered passwords must not count.
    servesWebClients ? [("Access-Control-Allow-Origin", "*")] : []
  }

  /// The answer to OPTIONS, which is also the preflight of browsers.
  var options: HTTPReply {
    var fields = HTTPFields([("Allow", allowedMethods)])
    if servesWebClients {
      fields.append("Access-Control-Allow-Methods", allowedMethods)
      // A wildcard would not include Authorization.
      fields.append(
        "Access-Control-Allow-Headers",
        "X-Auth-Token, Authorization, Content-Type, Accept, If-None-Match"
      )
      fields.append("Access-Control-Max-Age", "3600")
    }
    return HTTPReply(status: 204, fields: fields)
  }
}
