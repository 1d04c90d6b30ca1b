import NewsToolbox

/// One person's part of a newsd that serves several people: a store of its own.
public struct Account: Hashable, Sendable {
  /// Whether newsd uses an account.
  public enum State: Hashable, Sendable {
    case active
    /// Commands can use the store; the daemon does not.
    case disabled
    /// The store must not be opened; the text is the reason.
    case unusable(String)
  }

  /// The name with which the person logs in.
  public var name: String
  /// Path or address of the store.
  public var store: String
  public var state: State
  /// True if the store is known to hold nothing of a person. False for a file with wrong permissions, which newsd does not open.
  public var isForeign: Bool

  public init(name: String, store: String, state: State = .active, isForeign: Bool = false) {
    self.name = name
    self.store = store
    self.state = state
    self.isForeign = isForeign
  }

  /// The rule for names, for messages such as `the name … must …`.
  public static let nameRule =
    "must have 1 to 32 of the characters a-z, 0-9, '.', '_' and '-', with a letter or digit first"

  /// True for a name that an account may have. The name becomes part of a file name.
  public static func isName(_ text: String) -> Bool {
    guard (1...32).contains(text.utf8.count), let first = text.utf8.first else { return false }
    let isPlain = { (byte: UInt8) in
      ASCII.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
    return isPlain(first) && text.utf8.allSatisfy { isPlain($0) || "._-".utf8.contains($0) }
  }
}

/// Knows the accounts of this newsd. Its functions throw `FileError` or `StoreError`.
public protocol AccountKeeping: Sendable {
  /// Where the accounts are, for messages: the path of the folder, or the address of the server without passwords.
  var place: String { get }
  /// Returns all accounts, sorted by name.
  func accounts() async throws -> [Account]
  /// Creates an account. `fill` makes its store at a path or address where there is none yet, and closes it; the account
  /// appears after that. Throws a `FileError` with the code `cannotOpen` if there is such an account.
  func add(_ name: String, fill: @Sendable (_ path: String) async throws -> Void) async throws
  /// Sets whether the daemon uses the account.
  func setDisabled(_ isDisabled: Bool, _ account: Account) async throws
  /// Moves the store of an account aside. Returns its new place.
  func setAside(_ account: Account, at time: Timestamp) async throws -> String
}
