import Glibc
import NewsToolbox

/// Finds the program that takes mail.
enum MailProgram {
  /// The path of `sendmail`. It is rarely in the PATH of a service, so the folders of system programs are searched, too.
  static func path(searching path: String) -> String {
    let folders = path.split(ascii: ":").map(String.init) + ["/usr/sbin", "/usr/lib", "/usr/local/sbin"]
    return folders.map { $0 + "/sendmail" }.first { access($0, X_OK) == 0 } ?? "sendmail"
  }
}
