// swift-tools-version: 6.2

import PackageDescription

/// Every Swift target is held to the same rules: Swift 6 language mode, no warnings, explicit imports.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Where distributions put the headers of libxml2. Asking pkg-config would also link the library.
let withXMLHeaders: [SwiftSetting] = strict + [.unsafeFlags(["-Xcc", "-I/usr/include/libxml2"])]

/// The commit that `newsd version` names: the Makefile passes it to release builds. Anything else than hexadecimal digits
/// and a suffix is ignored, because the compiler reads it. With the definition, the compiler builds the C modules again, so that
/// it needs the headers of libxml2, too.
let commit = Context.environment["NEWSD_COMMIT"] ?? ""
let isCommit =
  !commit.isEmpty && commit.utf8.allSatisfy { "0123456789abcdefghijklmnopqrstuvwxyz-".utf8.contains($0) }
let withCommit = isCommit ? withXMLHeaders + [.unsafeFlags(["-Xcc", "-DNEWSD_COMMIT=\(commit)"])] : strict

let package = Package(
  name: "newsd",
  products: [
    .executable(name: "newsd", targets: ["newsd"])
  ],
  targets: [
    // The distribution's C libraries, one folder each.
    // libcurl, libmicrohttpd, libxml2 and libpsl are not linked: their headers load them when they are first called.
    .systemLibrary(name: "CCurl", path: "Sources/CLibs/CCurl"),
    .systemLibrary(name: "CLibXML2", path: "Sources/CLibs/CLibXML2"),
    .systemLibrary(name: "CSQLite", path: "Sources/CLibs/CSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(name: "CYAML", path: "Sources/CLibs/CYAML", pkgConfig: "yaml-0.1"),
    .systemLibrary(name: "CPSL", path: "Sources/CLibs/CPSL"),
    // The three libraries that libcurl unpacks with: loaded in the same way.
    .systemLibrary(name: "CUnpack", path: "Sources/CLibs/CUnpack"),
    .systemLibrary(name: "CMicroHTTPD", path: "Sources/CLibs/CMicroHTTPD"),
    // libcrypto: loaded when the first hash is computed.
    .systemLibrary(name: "CCrypto", path: "Sources/CLibs/CCrypto"),
    // Loaded when a login password is set or checked.
    .systemLibrary(name: "CCrypt", path: "Sources/CLibs/CCrypt"),
    // libpq: loaded when a store on PostgreSQL is opened.
    .systemLibrary(name: "CPQ", path: "Sources/CLibs/CPQ"),
    // Loaded when the reader opens.
    .systemLibrary(name: "CNcurses", path: "Sources/CLibs/CNcurses"),
    // libfribidi: loaded when the reader shows right-to-left text.
    .systemLibrary(name: "CFriBidi", path: "Sources/CLibs/CFriBidi"),
    // No library: the commit of the build, and the versions of libraries.
    .systemLibrary(name: "CBuild", path: "Sources/CLibs/CBuild"),
    // No library: vfork and exec, which Swift cannot call.
    .systemLibrary(name: "CSpawn", path: "Sources/CLibs/CSpawn"),

    // Toolbox: bytes, text, escapers, hashes, files. Knows nothing of news and imports no library
    // but the C library and libcrypto.
    .target(
      name: "NewsToolbox",
      dependencies: ["CCrypto"],
      path: "Sources/NewsService/Toolbox",
      swiftSettings: strict
    ),

    // Core: entities, ports, use cases. Imports no C library but Glibc, and no target but the toolbox.
    .target(
      name: "NewsCore",
      dependencies: ["NewsToolbox"],
      path: "Sources/NewsService/Core",
      swiftSettings: strict
    ),

    // Search: the query language, words in every script, regular expressions, matching, highlighting, stories.
    .target(
      name: "NewsSearch",
      dependencies: ["NewsToolbox", "NewsCore"],
      path: "Sources/NewsService/Search",
      swiftSettings: strict
    ),

    // Stores: what both share, and one target for each kind of database.
    .target(
      name: "NewsStoresShared",
      dependencies: ["NewsToolbox", "NewsCore", "NewsSearch"],
      path: "Sources/NewsService/Stores/Shared",
      swiftSettings: strict
    ),
    .target(
      name: "NewsSQLite",
      dependencies: ["NewsToolbox", "NewsCore", "NewsSearch", "NewsStoresShared", "CSQLite"],
      path: "Sources/NewsService/Stores/SQLite",
      swiftSettings: strict
    ),
    .target(
      name: "NewsPostgres",
      dependencies: ["NewsToolbox", "NewsCore", "NewsSearch", "NewsStoresShared", "CPQ"],
      path: "Sources/NewsService/Stores/Postgres",
      swiftSettings: strict
    ),

    // HTTP: the server, its requests, replies and routes as values.
    .target(
      name: "NewsHTTP",
      dependencies: ["NewsToolbox", "NewsCore", "CMicroHTTPD", "CUnpack", "CCrypt"],
      path: "Sources/NewsService/HTTP",
      swiftSettings: strict
    ),

    // Other adapters: each implements ports of Core, most with C libraries.
    .target(
      name: "NewsNetwork",
      dependencies: ["NewsToolbox", "NewsCore", "NewsHTTP", "CCurl", "CPSL", "CUnpack"],
      path: "Sources/NewsService/Network",
      swiftSettings: strict
    ),
    .target(
      name: "NewsSyndication",
      dependencies: ["NewsToolbox", "NewsCore", "NewsSearch", "CLibXML2"],
      path: "Sources/NewsService/Syndication",
      swiftSettings: withXMLHeaders
    ),
    .target(
      name: "NewsPrograms",
      dependencies: ["NewsToolbox", "NewsCore", "CSpawn"],
      path: "Sources/NewsService/Programs",
      swiftSettings: strict
    ),

    // Files of the operating system: locks, cursors, recordings.
    .target(
      name: "NewsFiles",
      dependencies: ["NewsToolbox", "NewsCore", "CUnpack"],
      path: "Sources/NewsService/Files",
      swiftSettings: strict
    ),

    // Screens: interactor, presenter, view model and router of each module. They do not depend on an
    // interface.
    .target(
      name: "Modules",
      dependencies: ["NewsToolbox", "NewsCore", "NewsSearch"],
      path: "Sources/Modules",
      swiftSettings: strict
    ),

    // Interfaces: show view models as text on a terminal, and in the formats that programs read.
    .target(
      name: "NewsText",
      dependencies: ["NewsToolbox", "NewsCore", "Modules"],
      path: "Sources/Interfaces/Text",
      swiftSettings: strict
    ),
    .target(
      name: "NewsFormats",
      dependencies: ["NewsToolbox", "NewsCore", "Modules", "NewsText"],
      path: "Sources/Interfaces/Formats",
      swiftSettings: strict
    ),

    // Screens that live in a terminal.
    .target(
      name: "NewsTerminal",
      dependencies: ["NewsToolbox", "NewsCore", "Modules", "NewsText", "CNcurses", "CFriBidi"],
      path: "Sources/Interfaces/Terminal",
      swiftSettings: strict
    ),

    // The web page.
    .target(
      name: "NewsWeb",
      dependencies: ["NewsToolbox", "NewsCore", "NewsSearch", "NewsHTTP", "Modules", "NewsFormats"],
      path: "Sources/Interfaces/Web",
      swiftSettings: strict
    ),
    // The protocols of other readers and programs: over HTTP, and MCP also on standard input.
    .target(
      name: "NewsSync",
      dependencies: [
        "NewsToolbox", "NewsCore", "NewsSearch", "NewsHTTP", "Modules", "NewsText", "NewsFormats",
      ],
      path: "Sources/Interfaces/Sync",
      swiftSettings: strict
    ),

    // The only place that names every concrete type.
    .target(
      name: "DIContainer",
      dependencies: [
        "NewsToolbox", "NewsCore", "NewsSearch", "NewsFiles", "NewsHTTP", "NewsNetwork", "NewsPrograms",
        "NewsSyndication", "NewsSQLite", "NewsPostgres",
        "Modules",
        "NewsText", "NewsFormats", "NewsTerminal", "NewsWeb", "NewsSync",
      ],
      path: "Sources/DIContainer",
      swiftSettings: strict
    ),

    // Command line, configuration, daemon loop, signals.
    .executableTarget(
      name: "newsd",
      dependencies: [
        "NewsToolbox", "NewsCore", "NewsSearch", "NewsHTTP", "Modules", "NewsText", "NewsFormats",
        "NewsTerminal", "DIContainer", "CYAML", "CBuild",
      ],
      path: "Sources/newsd",
      resources: [.embedInCode("Presets")],
      swiftSettings: withCommit
    ),

    // Measures the feed parser beside libxml2 alone; see bench/.
    .executableTarget(
      name: "parse-bench",
      dependencies: ["NewsToolbox", "NewsCore", "NewsSyndication", "CLibXML2"],
      path: "bench/parse",
      exclude: ["linear", "memory", "peers"],
      swiftSettings: withXMLHeaders
    ),

    // Measures the extraction of articles; see bench/.
    .executableTarget(
      name: "article-bench",
      dependencies: ["NewsToolbox", "NewsCore", "NewsSyndication"],
      path: "bench/articles",
      swiftSettings: strict
    ),

    // Measures the tokenizer; see bench/.
    .executableTarget(
      name: "token-bench",
      dependencies: ["NewsToolbox", "NewsCore", "NewsSearch"],
      path: "bench/tokens",
      swiftSettings: strict
    ),

    // Serves answers of fixed size; see bench/http.
    .executableTarget(
      name: "web-bench",
      dependencies: ["NewsCore", "NewsHTTP"],
      path: "bench/web",
      swiftSettings: strict
    ),

    // Waits for conditions, and threads for tests that block; in no product.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    // Items in many languages and the queries that find them, for tests of the matcher and of the stores.
    .target(
      name: "SearchCases",
      dependencies: ["NewsCore", "NewsSearch"],
      path: "Tests/SearchCases",
      swiftSettings: strict
    ),
    // Random numbers for tests, the same in every run; in no product.
    .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: strict),
    .testTarget(
      name: "NewsToolboxTests",
      dependencies: ["NewsToolbox", "SeededRandom"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "NewsCoreTests",
      dependencies: ["NewsToolbox", "NewsCore", "SeededRandom", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "NewsSearchTests",
      dependencies: ["NewsToolbox", "NewsCore", "NewsSearch", "SearchCases", "SeededRandom"],
      swiftSettings: strict
    ),
    // A misbehaving HTTP server for the tests of whatever fetches; in no product.
    .target(
      name: "TestServer",
      dependencies: ["TestSupport"],
      path: "Tests/TestServer",
      swiftSettings: strict
    ),
    // Measures the store beside plain SQLite; see bench/.
    .executableTarget(
      name: "store-bench",
      dependencies: ["NewsCore", "NewsSearch", "NewsStoresShared", "NewsSQLite", "CSQLite"],
      path: "bench/store",
      swiftSettings: strict
    ),

    .testTarget(
      name: "NewsHTTPTests",
      dependencies: ["NewsToolbox", "NewsCore", "NewsHTTP", "NewsNetwork", "TestServer"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "NewsNetworkTests",
      dependencies: [
        "NewsToolbox", "NewsCore", "NewsHTTP", "NewsNetwork", "TestServer", "SeededRandom", "TestSupport",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "NewsFilesTests",
      dependencies: ["NewsToolbox", "NewsCore", "NewsFiles"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "NewsProgramsTests",
      dependencies: ["NewsToolbox", "NewsCore", "NewsPrograms", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "NewsSyndicationTests",
      dependencies: [
        "NewsToolbox", "NewsCore", "NewsSearch", "NewsSyndication", "NewsFormats", "SeededRandom",
      ],
      exclude: ["Fixtures"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "NewsSQLiteTests",
      dependencies: [
        "NewsToolbox", "NewsCore", "NewsSearch", "NewsStoresShared", "NewsSQLite", "CSQLite", "SearchCases",
        "SeededRandom", "TestSupport",
      ],
      exclude: ["Fixtures"],
      swiftSettings: strict
    ),
    // Tests of what every kind of store must do; they run against each kind.
    .testTarget(
      name: "StoreContractTests",
      dependencies: [
        "NewsToolbox", "NewsCore", "NewsSearch", "NewsStoresShared", "NewsSQLite", "NewsPostgres",
        "NewsNetwork",
        "NewsSyndication", "CSQLite", "SearchCases", "TestServer", "TestSupport",
      ],
      exclude: ["Fixtures"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ModulesTests",
      dependencies: [
        "NewsToolbox", "NewsCore", "NewsSearch", "Modules", "NewsText", "NewsFormats", "NewsTerminal",
        "TestSupport",
      ],
      exclude: ["Golden", "Screens"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "NewsWebTests",
      dependencies: [
        "NewsToolbox", "NewsCore", "NewsSearch", "NewsHTTP", "NewsNetwork", "NewsStoresShared", "NewsSQLite",
        "Modules", "NewsWeb", "DIContainer", "TestServer", "TestSupport",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "NewsSyncTests",
      dependencies: [
        "NewsToolbox", "NewsCore", "NewsSearch", "NewsHTTP", "Modules", "NewsSync", "NewsStoresShared",
        "NewsSQLite", "NewsSyndication",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "NewsdTests",
      dependencies: [
        "newsd", "NewsToolbox", "NewsCore", "NewsSearch", "NewsHTTP", "Modules", "NewsText", "NewsFormats",
        "NewsTerminal", "NewsSQLite", "DIContainer", "TestSupport", "CSQLite",
      ],
      swiftSettings: strict
    ),
    // Runs the built binary; it names no target of newsd but the executable, so that SwiftPM builds that first.
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["newsd", "TestServer", "TestSupport", "CSQLite"],
      swiftSettings: strict
    ),
  ]
)

// A build with a sanitizer compiles everything again: it takes the named suites only, with what they need. Each target is
// listed after those that it depends on.
if let names = Context.environment["NEWSD_TEST_TARGETS"] {
  var needed = Set(names.split(separator: " ").map(String.init))
  for target in package.targets.reversed() where needed.contains(target.name) {
    for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
  }
  package.products = []
  package.targets.removeAll { !needed.contains($0.name) }
}
