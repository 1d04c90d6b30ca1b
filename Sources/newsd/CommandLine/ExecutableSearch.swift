import Glibc

/// Finds programs as execvp(3) does.
enum ExecutableSearch {
  /// True if `name` is the path of an executable file, or the name of one in a folder of PATH.
  static func finds(_ name: String) -> Bool {
    if name.contains("/") { return isExecutable(name) }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":", omittingEmptySubsequences: false)
      .contains { isExecutable($0.isEmpty ? name : "\($0)/\(name)") }
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
