import CCrypt
import Glibc
public import NewsCore
import NewsToolbox

/// Hashes passwords with yescrypt, as `/etc/shadow` does.
public struct YescryptHasher: PasswordHashing {
  /// yescrypt's cost. Cost 7 takes 64 MiB and about 80 ms; libcrypt's default of 5 takes 16 MiB and a quarter of the
  /// time.
  private let cost: UInt

  /// What libcrypt makes of the costs 1, 2, … in a hash.
  private static let parameters = ["j75", "j85", "j7T", "j8T", "j9T", "jAT", "jBT"]

  /// Maximum length of a password in libcrypt.
  private static let mostBytes = 511

  public init(cost: UInt = 7) {
    self.cost = cost
  }

  @inline(never)
  public func hash(_ password: String) -> String? {
    let random = (0..<16).map { _ in CChar.random(in: .min ... .max) }
    guard let setting = newsd_crypt_setting("$y$", cost, random, Int32(random.count)) else { return nil }
    defer { free(setting) }
    return crypt(password, String(cString: setting))
  }

  /// True if the hash costs no more than newsd's own. A hash in a store from elsewhere may name a method or a cost
  /// with which one password takes minutes, or gigabytes.
  public func isAffordable(_ hash: String) -> Bool {
    Self.parameters.prefix(Int(cost)).contains { hash.hasPrefix(bytesOf: "$y$\($0)$") }
  }

  public func matches(_ password: String, hash: String) -> Bool {
    guard isAffordable(hash), let computed = crypt(password, hash) else { return false }
    return SecretComparison.areEqual(computed, hash)
  }

  /// Hashes a password. Returns nil if libcrypt rejects the password or the setting.
  @inline(never)
  private func crypt(_ password: String, _ setting: String) -> String? {
    let bytes = password.utf8
    // Refuse a NUL, at which libcrypt would stop reading the password.
    guard !bytes.isEmpty, bytes.count <= Self.mostBytes, !bytes.contains(0) else { return nil }
    var block: UnsafeMutableRawPointer?
    var size: Int32 = 0
    defer {
      if let block {
        // Erase the block: the password can be computed from its intermediate values.
        explicit_bzero(block, Int(size))
        free(block)
      }
    }
    guard let result = newsd_crypt(password, setting, &block, &size) else { return nil }
    let hash = String(cString: result)
    // Other functions of libcrypt report a failure by a text that begins with an asterisk; `crypt_ra` returns
    // NULL. No hash begins with an asterisk.
    return hash.utf8.first == UInt8(ascii: "*") ? nil : hash
  }
}
