import Glibc
import Modules
import NewsCore
import NewsToolbox

/// The user's web browser.
struct Browser {
  let words: [String]
  private let environment: [String: String]

  /// Finds the browser: `$BROWSER`, split into words like a shell does, else `xdg-open`.
  init(environment: [String: String]) throws {
    self.environment = environment
    let line = environment["BROWSER"].flatMap { $0.isEmpty ? nil : $0 } ?? "xdg-open"
    do {
      words = try CommandWords.split(line)
    } catch {
      throw UserMessage(code: .notFound, text: "BROWSER: \(error.message)")
    }
    guard ExecutableSearch.finds(words[0]) else {
      throw UserMessage(
        code: .notFound,
        text: "there is no program \(words[0]) to open pages with; set BROWSER to one"
      )
    }
  }

  /// Runs the browser with the link as its last argument, and waits for it.
  func open(_ link: String) throws {
    var arguments: [UnsafeMutablePointer<CChar>?] = (words + [link]).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in arguments + variables { free(word) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // newsd ignores SIGPIPE; a browser must not inherit that.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var pid: pid_t = 0
    let error = posix_spawnp(&pid, words[0], nil, &attributes, &arguments, &variables)
    guard error == 0 else {
      throw UserMessage(code: .notFound, text: "cannot run \(words[0]): \(SystemError(code: error).reason)")
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else {
      throw UserMessage(code: .unreachable, text: "\(words[0]) could not open \(link)")
    }
  }
}
