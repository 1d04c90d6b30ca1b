import NewsStoresShared
import Glibc
import NewsCore
import TestSupport
import Testing

/// The kinds of stores for which the contract tests run.
enum StoreKind: String, CaseIterable {
  case file
  case postgres

  /// The store of the running test.
  @TaskLocal static var current = StoreKind.file

  /// `NEWSD_TEST_STORES=postgres` limits the tests to one store. Without an installed PostgreSQL, its tests
  /// are skipped.
  static let available: [StoreKind] = {
    let wanted = getenv("NEWSD_TEST_STORES").map { String(cString: $0) }
    return allCases.filter { kind in
      guard wanted == nil || wanted == kind.rawValue else { return false }
      return kind == .file || TestDatabase.shared != nil
    }
  }()
}

/// Runs each test of a suite once for every store, and names the store in its failures.
struct EveryStore: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    for kind in StoreKind.available {
      let naming = IssueHandlingTrait.compactMapIssues { issue in
        var issue = issue
        issue.comments.insert("store: \(kind.rawValue)", at: 0)
        return issue
      }
      try await naming.provideScope(for: test, testCase: testCase) {
        // Record the error here: outside, the failure would not name the store.
        await Self.recording {
          try await StoreKind.$current.withValue(kind, operation: function)
        }
      }
    }
  }
}

extension EveryStore {
  private static func recording(_ body: () async throws -> Void) async {
    do {
      try await body()
    } catch is ExpectationFailedError {
      // `#require` has recorded it.
    } catch {
      Issue.record(error)
    }
  }
}

extension Trait where Self == EveryStore {
  static var everyStore: Self { EveryStore() }
}

@Suite struct `The kinds of stores that the contract tests cover` {
  @Test func `PostgreSQL is tested wherever NEWSD_REQUIRE_POSTGRES is set`() {
    let isRequired = getenv("NEWSD_REQUIRE_POSTGRES") != nil
    #expect(!isRequired || StoreKind.available.contains(.postgres), "no PostgreSQL server could be started")
    if !StoreKind.available.contains(.postgres) {
      print("PostgreSQL is not tested: initdb was not found or the server did not start")
    }
  }
}
