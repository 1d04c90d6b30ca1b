/// The directory of a store, which must have room for its temporary files.
enum StoreDirectory {
  static func path(ofStore path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }
}
