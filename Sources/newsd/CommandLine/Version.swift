import CBuild
import Glibc

/// What `newsd version` prints.
enum Version {
  static let number = "0.1.0"
  /// Program name and version for the User-Agent field.
  static let program = "newsd/\(number)"
  /// The date of the manual page, in mdoc(7)'s form.
  static let date = "November 21, 2026"

  /// The commit of the build; "unknown" if the build did not know it.
  static var commit: String { String(cString: newsd_commit()) }

  /// newsd, its commit and its libraries, each with its version. Loads the libraries.
  static var lines: [(name: String, value: String)] {
    [("newsd", number), ("commit", commit)] + libraries.map { ($0.name, $0.version ?? "missing") }
  }

  /// Loads the libraries of polls, and those of the web server if there is one; they stay loaded. They are otherwise loaded at
  /// the first call, and newsd ends if that fails, as it does when the process may open no more files.
  static func loadLibraries(ofWebServer isServer: Bool) {
    let files = [
      "libxml2.so.16", "libxml2.so.2", "libcurl.so.4", "libpsl.so.5", "libcrypto.so.3", "libz.so.1",
      "libbrotlidec.so.1", "libzstd.so.1",
    ]
    for file in files + (isServer ? ["libmicrohttpd.so.12", "libcrypt.so.1"] : []) {
      _ = dlopen(file, RTLD_LAZY)
    }
  }

  private struct Library {
    var name: String
    /// Nil: the library is missing.
    var version: String?

    init(_ name: String, _ files: String..., function: String, isVariable: Bool = false) {
      self.name = name
      version = files.lazy.compactMap { newsd_library_text($0, function, isVariable ? 1 : 0) }.first
        .map { String(String(cString: $0).prefix { $0 != "\n" }) }
    }

    init(_ name: String, version: String?) {
      self.name = name
      self.version = version
    }
  }

  private static var libraries: [Library] {
    [
      Library("sqlite", "libsqlite3.so.0", function: "sqlite3_libversion"),
      Library("libyaml", "libyaml-0.so.2", function: "yaml_get_version_string"),
      Library("libcurl", "libcurl.so.4", function: "curl_version"),
      Library("libxml2", "libxml2.so.16", "libxml2.so.2", function: "xmlParserVersion", isVariable: true),
      Library("libmicrohttpd", "libmicrohttpd.so.12", function: "MHD_get_version"),
      Library("libpsl", "libpsl.so.5", function: "psl_get_version"),
      Library("libcrypto", "libcrypto.so.3", function: "OpenSSL_version"),
      Library("libz", "libz.so.1", function: "zlibVersion"),
      Library("libpq", version: postgresql),
      Library("libncursesw", "libncursesw.so.6", function: "curses_version"),
      Library("libfribidi", "libfribidi.so.0", function: "fribidi_version_info", isVariable: true),
    ]
  }

  /// libpq has only a number: 150018 is 15.18 (libpq, PQlibVersion).
  private static var postgresql: String? {
    let number = newsd_library_number("libpq.so.5", "PQlibVersion")
    return number < 0 ? nil : "\(number / 10_000).\(number % 10_000)"
  }
}
