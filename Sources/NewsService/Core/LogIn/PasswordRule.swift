import NewsToolbox

/// Which new login passwords are accepted. Passwords that are set already stay valid.
public enum PasswordRule {
  /// Fewest characters of a new password (NIST SP 800-63B section 5.1.1.2).
  public static let shortest = 8
  /// crypt(3) accepts longer ones on no system.
  static let longestBytes = 511

  /// Returns the reason why the password is refused, such as `is too short…`; nil: it is accepted.
  public static func problem(_ password: String) -> String? {
    guard password.utf8.count <= longestBytes, !password.utf8.contains(0) else {
      return "must have at most \(longestBytes) bytes and no NUL"
    }
    let scalars = Array(password.unicodeScalars)
    guard scalars.count >= shortest else { return "must have at least \(shortest) characters" }
    let word = password.asciiLowercased
    // A run of one character, or of neighbours such as 23456789 and abcdefgh, is as easy to guess.
    let steps = zip(scalars, scalars.dropFirst()).map { Int($1.value) - Int($0.value) }
    if let step = steps.first, (-1...1).contains(step), steps.allSatisfy({ $0 == step }) {
      return "is among the most common ones"
    }
    return common.contains(word) ? "is among the most common ones" : nil
  }

  /// The most common passwords of at least eight characters in published lists, in lower case.
  private static let common: Set<String> = Set(
    """
    password password1 password12 password123 password1234 passw0rd p@ssword p@ssw0rd pa$$word passwort passwort1
    passwords password! password1! mypassword newpassword thepassword motdepasse contraseña wachtwoord kennwort
    1234567890 12345678910 123456789a 123456789q 1234567891 0123456789 0987654321 9876543210 12341234 123123123
    11223344 1122334455 123321123 112233445566 12344321 11112222 12121212 13131313 69696969 10203040 147258369
    147852369 987654321a 789456123 741852963 159357456 963852741 88888888a aa123456 aa12345678 abc12345 abcd1234
    abc123456 a1234567 a12345678 a123456789 a1b2c3d4 1a2b3c4d 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5
    1qaz2wsx 1qaz2wsx3edc qazwsxedc zaq12wsx zaq1zaq1 qwertyui qwertyuiop qwertyu1 qwerty12 qwerty123 qwerty1234
    qwerty12345 qwerty123456 qwer1234 asdfghjk asdfghjkl asdf1234 zxcvbnm1 zxcvbnm123 asdfasdf qweqweqwe asdasdasd
    qwertz123 qwertzui qwertzuiop azertyui azertyuiop azerty123 iloveyou iloveyou1 iloveyou2 loveyou1 iloveu12
    sunshine sunshine1 princess princess1 football football1 baseball baseball1 basketball superman superman1
    batman123 spiderman pokemon1 pokemon123 starwars starwars1 trustno1 whatever whatever1 welcome1 welcome123
    admin123 admin1234 admin12345 administrator administrateur root1234 rootroot changeme changeme1 changeme123
    letmein1 letmein123 letmein! default1 secret123 secret12 test1234 test12345 testtest testing1 testing123
    computer computer1 internet samsung1 michelle jennifer jennifer1 jonathan danielle elizabeth alexander
    nicholas benjamin samantha victoria veronica caroline christian christin patricia stephanie anthony1 charlie1
    michael1 jessica1 ashley12 jordan23 liverpool liverpool1 arsenal1 chelsea1 manchester barcelona juventus
    mercedes corvette mustang1 maverick midnight mountain hello123 hellohello helloworld freedom1 blink182
    chocolate cocacola butterfly sweetheart beautiful forever1 babygirl babygirl1 scooter1 snoopy123 dragon123
    monkey123 master123 shadow123 killer123 soccer12 hunter12 hunter123 access14 1111111a aaaaaaa1 987654321
    newsd123 newsd1234 newsdnewsd newsreader
    """.split { $0 == " " || $0 == "\n" }.map(String.init)
  )
}
