import Glibc

/// Gives up root's rights for those of the user who can rename the files of a database.
///
/// Between two system calls, that user can put a link to a file of root at any name in the folder. With the user's own
/// rights, the link leads to nothing that the user could not change anyway.
public enum OwnerRights {
  /// Why the rights cannot be taken, for messages.
  public struct Failure: Error {
    public let reason: String
  }

  /// Takes the rights of the user for the whole process and for good. Does nothing if this process is not root's, or if
  /// no other user can replace the names on the way to the database. Throws if users who cannot be told can.
  public static func take(ofDatabase path: String) throws(Failure) {
    guard geteuid() == 0, let finding = FileTrust.finding(ofNames: path) else { return }
    guard let owner = finding.owner else { throw Failure(reason: finding.reason) }
    // The user last: afterwards, this process may not change its groups.
    var group = owner.gid
    guard setgroups(1, &group) == 0, setegid(owner.gid) == 0, seteuid(owner.uid) == 0 else {
      throw Failure(
        reason: "\(finding.reason), and newsd cannot take the rights of that user: \(SystemError.last.reason)"
      )
    }
  }
}
