/// The texts of log-in, set-up, passwords and sessions.
extension Wording {
  package static let configurationSetsLoginPassword =
    "The configuration sets the login password (web.password_file); it is changed there."
  package static let appPasswords = "App passwords"
  package static let eachProgramGetsAPassword =
    "Each program that reads newsd gets a password of its own. Its name there is "
  package static let passwordCanBeRevoked =
    ". A password can be revoked without changing the others."
  package static let nameOfTheProgram = "Name of the program"
  package static let phone = "Phone"
  package static let makeAPassword = "Make a password"
  package static let sessions = "Sessions"
  package static func newPassword(_ shortest: Int) -> String {
    "New password (at least \(shortest) characters)"
  }
  package static let changeThePassword = "Change the password"
  package static let allOtherSessionsEnd = "All other sessions end."
  package static let thereAreNoneYet = "There are none yet."
  package static let made = "Made"
  package static let lastUsed = "Last used"
  package static let revoke = "Revoke"
  package static let browser = "Browser"
  package static let lastSeen = "Last seen"
  package static func browserOnSystem(_ browser: String, _ system: String) -> String {
    "\(browser) on \(system)"
  }
  package static let thisOne = " (this one)"
  package static let end = "End"
  package static func theSessionOf(_ address: String) -> String { " the session of \(address)" }
  package static func revokedThePasswordOf(_ name: String) -> String { "Revoked the password of '\(name)'." }
  package static func thereIsNoPassword(_ name: String) -> String { "There is no password '\(name)'." }
  package static let endedTheSession = "Ended the session."
  package static func passwordName(_ rule: String) -> String { "The password's name \(rule)." }
  package static func passwordExists(_ name: String) -> String {
    "There is a password with the name '\(name)' already."
  }
  package static func passwordIsShownOnce(_ name: String) -> String {
    "The password of '\(name)'. Copy it now; it is not shown again."
  }
  package static let thisNeedsALoginPassword =
    "This needs a login password, and there is none. Use newsd on the server."
  package static let theLoginPasswordIsWrong = "The login password is wrong."
  package static func tooManyWrongPasswords(_ minutes: Int) -> String {
    "Too many wrong passwords. Try again in \(minutes) minutes."
  }
  package static let tooManyLogInsAtOnce = "Too many log-ins at the same time. Try again."
  package static let loginPasswordIsChanged =
    "The login password is changed. All other sessions have ended."
  package static let cannotWriteATemporaryFile =
    "newsd cannot write a temporary file; set TMPDIR to another directory"
  package static let anotherBackupIsDownloaded = "Another backup is being downloaded. Try again."
  package static let theBackupCannotBeRead = "the backup cannot be read"
  package static func countsOnlyFromTrustedProxies(_ field: String) -> String {
    "\(field) counts only from web.trusted_proxies and unix sockets"
  }
  package static func mustHaveOneName(_ field: String) -> String { "\(field) must have one name" }
  package static func namesNoAccount(_ field: String) -> String { "\(field) names no account" }
  package static func logInRefused(_ reason: String) -> String { "Log-in refused: \(reason)." }
  package static let theLogInKnowsOnlyGET = "The log-in knows only GET."
  package static let theCallbackBelongsToNoLogIn =
    "the callback does not belong to a log-in that this browser has begun"
  package static func tooManyFailedLogIns(_ minutes: Int) -> String {
    "Too many failed log-ins. Try again in \(minutes) minutes."
  }
  package static let thisLogInWasUsedAlready = "this log-in was used already"
  package static func providerHasRefused(_ host: String, _ code: String) -> String {
    "\(host) has refused it (\(code))"
  }
  package static let newsdCouldNotLogYouIn = "newsd could not log you in"
  package static let loggedOut = "Logged out"
  package static func loggedOutButNotOf(_ host: String) -> String {
    "You are logged out of newsd, but not of \(host)."
  }
  package static func logOutOf(_ host: String) -> String { "Log out of \(host)" }
  package static let logInAgain = "Log in again"
  package static func tooManyLogInsWait(_ host: String) -> String {
    "Too many log-ins wait for \(host). Try again."
  }
  package static func theLogInWithFailed(_ host: String, _ reason: String) -> String {
    "The log-in with \(host) failed: \(reason)."
  }
  package static let theProviderCannotBeAsked = "the provider cannot be asked"
  package static let notAllAccountsAreOpen = "newsd has not opened all accounts yet. Try again."
  package static func theLogInIsRefused(_ reason: String) -> String { "The log-in is refused: \(reason)." }
  package static let logIn = "Log in"
  package static let ifItFailsAgain =
    "If it fails again, ask who runs this newsd; its log has the reason."
  package static let noLogInWithAPassword = "There is no log-in with a password here."
  package static func theReverseProxyLogsIn(_ name: String) -> String {
    "The reverse proxy logs you in as \(name). Log out there first."
  }
  package static let nameOrPasswordIsWrong = "The name or the password is wrong."
  package static let loggedOutButTheProxyLogsIn =
    "You are logged out of newsd. The reverse proxy logs you in again until you log out there."
  package static func logInWith(_ provider: String) -> String { "Log in with \(provider)" }
  package static func theReverseProxyNamesNoAccount(_ field: String) -> String {
    "The reverse proxy logs you in; it has named no account (\(field))."
  }
  package static let noLoginPasswordIsSet =
    "No login password is set, so nobody can log in. Open the "
  package static let setUpAddress = "set-up address"
  package static let whereTheSetUpAddressIs =
    " that is in the log of newsd run (event=setup), or set a password on the server:"
  package static let password = "Password"
  package static let unknownHost = "Unknown host"
  package static func doesNotAnswerToTheHost(_ host: String) -> String {
    "This newsd does not answer to the host \(host). It answers to:"
  }
  package static func changeTheAddress(_ address: String, _ host: String) -> String {
    "web.url is \(address). If clients reach newsd at \(host), change it to:"
  }
  package static func setTheAddress(_ host: String) -> String {
    "If clients reach newsd at \(host), set in its configuration:"
  }
  package static let orInTheEnvironment = "or in its environment, and restart newsd:"
  package static let writeHTTPSForAProxy =
    "If a reverse proxy takes requests over https, write https instead of http."
  package static let theTwoPasswordsDiffer = "The two passwords differ."
  package static func refused(_ problem: String) -> String { "Refused: \(problem)." }
  package static let setTheLoginPassword = "Set the password with which you log in to this page."
  package static func nameIs(_ name: String) -> String { "Name: \(name)" }
  package static let passwordAgain = "Password again"
  package static let setPassword = "Set password"
  package static let aLoginPasswordIsSetAlready =
    "A login password is set already. To change it, run on the server:"
  package static let theSetUpAddressIsNotValid =
    "This set-up address is not valid. The valid one is in the log of newsd run: look for event=setup. An address is valid for one hour; newsd has now logged a new one if the former was older."
  package static let setUp = "Set up"
  package static let unknown = "unknown"
  package static let local = "local"
}
