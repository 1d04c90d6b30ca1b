import NewsToolbox

/// Paths of folders: names separated by slashes.
public enum FolderPath {
  /// Removes empty names: `a//b/` becomes `a/b`. Returns nil when none remain.
  public static func cleaned(_ path: String) -> String? {
    let names = path.split(ascii: "/")
    return names.isEmpty ? nil : names.joined(separator: "/")
  }

  /// Returns the folder and the folders that contain it, outermost first.
  public static func chain(of path: String) -> [String] {
    let names = path.split(ascii: "/")
    return names.indices.map { names[...$0].joined(separator: "/") }
  }

  /// True for the folder `outer` itself and for the folders in it.
  public static func isInside(_ path: String, _ outer: String) -> Bool {
    path == outer || path.hasPrefix(bytesOf: outer + "/")
  }
}
