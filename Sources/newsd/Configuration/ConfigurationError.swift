/// An error in the configuration: exit status 78.
struct ConfigurationError: Error, CustomStringConvertible {
  /// The problem, with file, line and key, or with the environment variable.
  var message: String
  var description: String { message }
}

extension ConfigurationError {
  /// An error at a node of a file.
  init(_ file: String, _ node: YAMLNode, _ text: String) {
    self.init(message: "\(file):\(node.line): \(text)")
  }
}

extension YAMLNode {
  /// Returns the pairs of a mapping; none if all its lines are commented out, which makes it an empty scalar. Throws
  /// `problem` for other values.
  func pairs(
    _ file: String,
    orElse problem: String
  ) throws(ConfigurationError) -> [(key: YAMLNode, value: YAMLNode)] {
    switch value {
    case .scalar(""): return []
    case .mapping(let pairs): return pairs
    case .scalar, .sequence: throw ConfigurationError(file, self, problem)
    }
  }
}
