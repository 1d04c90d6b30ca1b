import CYAML

/// A node of a YAML document with its line.
struct YAMLNode {
  enum Value {
    case scalar(String)
    case sequence([YAMLNode])
    case mapping([(key: YAMLNode, value: YAMLNode)])
  }

  var value: Value
  /// Line number, counted from 1.
  var line: Int
}

/// A syntax error in YAML, or a feature of YAML that configurations do not support.
struct YAMLError: Error {
  var line: Int
  var message: String
}

extension YAMLNode {
  /// Parses one document with libyaml; nil if there is none. Rejects aliases, which a configuration does not need
  /// and which can expand without bound.
  static func parse(_ bytes: [UInt8]) throws(YAMLError) -> YAMLNode? {
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) == 1 else {
      throw YAMLError(line: 0, message: "out of memory")
    }
    defer { yaml_parser_delete(&parser) }
    // libyaml keeps the pointer until the parser is deleted, so both live in this scope.
    let input = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
    defer { input.deallocate() }
    input.initialize(from: bytes, count: bytes.count)
    yaml_parser_set_input_string(&parser, input, bytes.count)
    return try document(&parser)
  }

  private struct Frame {
    var line: Int
    var isMapping: Bool
    var nodes: [YAMLNode] = []

    func closed() -> YAMLNode {
      guard isMapping else { return YAMLNode(value: .sequence(nodes), line: line) }
      let pairs = stride(from: 0, to: nodes.count - 1, by: 2).map { (key: nodes[$0], value: nodes[$0 + 1]) }
      return YAMLNode(value: .mapping(pairs), line: line)
    }
  }

  private static func document(_ parser: inout yaml_parser_t) throws(YAMLError) -> YAMLNode? {
    var open: [Frame] = []
    var root: YAMLNode?
    func place(_ node: YAMLNode) {
      if open.isEmpty {
        root = root ?? node
      } else {
        open[open.count - 1].nodes.append(node)
      }
    }
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(&parser, &event) == 1 else {
        let problem = parser.problem.map { String(cString: $0) } ?? "not YAML"
        throw YAMLError(line: parser.problem_mark.line + 1, message: problem)
      }
      defer { yaml_event_delete(&event) }
      let line = event.start_mark.line + 1
      switch event.type {
      case YAML_STREAM_END_EVENT:
        return root
      case YAML_SCALAR_EVENT:
        let scalar = event.data.scalar
        let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        // Paths and arguments of programs end at a NUL.
        guard !bytes.contains(0) else { throw YAMLError(line: line, message: "a value must not contain NUL") }
        place(YAMLNode(value: .scalar(String(decoding: bytes, as: UTF8.self)), line: line))
      case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT:
        guard open.count < 16 else { throw YAMLError(line: line, message: "nested too deeply") }
        open.append(Frame(line: line, isMapping: event.type == YAML_MAPPING_START_EVENT))
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
        if let frame = open.popLast() { place(frame.closed()) }
      case YAML_ALIAS_EVENT:
        throw YAMLError(line: line, message: "aliases are not supported")
      default:
        break
      }
    }
  }
}
