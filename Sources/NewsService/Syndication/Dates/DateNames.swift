/// Names of months in the languages that feeds use, and the other words of dates.
enum DateNames {
  static func englishMonth(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> Int? {
    switch UInt32(a | 0x20) << 16 | UInt32(b | 0x20) << 8 | UInt32(c | 0x20) {
    case 0x6A616E: 1
    case 0x666562: 2
    case 0x6D6172: 3
    case 0x617072: 4
    case 0x6D6179: 5
    case 0x6A756E: 6
    case 0x6A756C: 7
    case 0x617567: 8
    case 0x736570: 9
    case 0x6F6374: 10
    case 0x6E6F76: 11
    case 0x646563: 12
    default: nil
    }
  }

  /// Lower case, without accents and dots, so that `Février`, `févr.` and `FEVR` are looked up alike.
  static func folded(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    var result = ""
    for scalar in String(decoding: bytes, as: UTF8.self).lowercased().unicodeScalars where scalar != "." {
      if let plain = withoutAccent[scalar.value] {
        result.append(plain)
      } else if !(0x300...0x36F).contains(scalar.value) {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// 1 to 12.
  static func month(_ word: String) -> Int? {
    months[word]
  }

  /// True for the afternoon, false for the morning.
  static func dayHalf(_ word: String) -> Bool? {
    switch word {
    case "am", "오전", "上午", "午前", "πμ": false
    case "pm", "오후", "下午", "午後", "μμ": true
    default: nil
    }
  }

  /// Words that stand between the parts of a date and say nothing.
  static func isFiller(_ word: String) -> Bool {
    switch word {
    case "st", "nd", "rd", "th", "de", "del", "den", "of", "the", "at", "um", "uhr", "a", "à", "le", "la",
      "di",
      "y", "г", "года", "ο", "ი", "t":
      true
    default: false
    }
  }

  private static let withoutAccent: [UInt32: String] = {
    let pairs: [(String, String)] = [
      ("áàâäãåāă", "a"), ("éèêëēěę", "e"), ("íìîïī", "i"), ("óòôöõőø", "o"), ("úùûüűůū", "u"), ("ýÿ", "y"),
      ("çćč", "c"), ("ñńň", "n"), ("šśş", "s"), ("žźż", "z"), ("ř", "r"), ("ğ", "g"), ("ł", "l"), ("ı", "i"),
      ("ț", "t"), ("ά", "α"), ("έ", "ε"), ("ή", "η"), ("ίϊΐ", "ι"), ("ό", "ο"), ("ύϋΰ", "υ"), ("ώ", "ω"),
      ("ς", "σ"),
    ]
    var table: [UInt32: String] = [:]
    for (accented, plain) in pairs {
      for scalar in accented.unicodeScalars { table[scalar.value] = plain }
    }
    return table
  }()

  /// Folded names; the first three letters of a longer Latin name are listed where they are in use.
  private static let months: [String: Int] = {
    let names: [[String]] = [
      [
        "jan", "january", "januar", "janner", "janvier", "janv", "enero", "ene", "gennaio", "gen", "janeiro",
        "januari", "styczen", "stycznia", "sty", "leden", "ledna", "ianuarie", "ian", "tammikuu",
        "tammikuuta",
        "ocak", "oca", "ιαν", "ιανουαριος", "ιανουαριου", "янв", "январь", "января", "січ", "січень", "січня",
        "яну", "януари", "gener", "يناير", "ינואר",
      ],
      [
        "feb", "february", "februar", "fevrier", "fevr", "fev", "febrero", "febbraio", "fevereiro",
        "februari",
        "luty", "lutego", "lut", "unor", "unora", "febr", "februarie", "helmikuu", "helmikuuta", "subat",
        "sub",
        "φεβ", "φεβρουαριος", "φεβρουαριου", "фев", "февр", "февраль", "февраля", "лют", "лютий", "лютого",
        "февруари", "febrer", "فبراير", "פברואר",
      ],
      [
        "mar", "march", "marz", "maerz", "mrz", "mars", "marzo", "marco", "maart", "mrt", "marzec", "marca",
        "brezen", "brezna", "marcius", "marc", "martie", "marec", "marts", "maaliskuu", "maaliskuuta", "mart",
        "μαρ", "μαω", "μαρτιοσ", "μαρτιου", "мар", "март", "марта", "бер", "березень", "березня", "maret",
        "مارس",
        "מרץ",
      ],
      [
        "apr", "april", "avril", "avr", "abril", "abr", "aprile", "kwiecien", "kwietnia", "kwi", "duben",
        "dubna",
        "aprilis", "aprilie", "huhtikuu", "huhtikuuta", "nisan", "nis", "απρ", "απριλιοσ", "απριλιου", "апр",
        "апрель", "апреля", "кві", "квітень", "квітня", "април", "أبريل", "אפריל",
      ],
      [
        "may", "mai", "mayo", "maggio", "mag", "maio", "mei", "maj", "maja", "kveten", "kvetna", "majus",
        "toukokuu", "toukokuuta", "mayis", "μαι", "μαιοσ", "μαιου", "май", "мая", "мај", "тра", "травень",
        "травня", "maig", "maujus", "مايو", "מאי",
      ],
      [
        "jun", "june", "juni", "juin", "junio", "giugno", "giu", "junho", "czerwiec", "czerwca", "cze",
        "cerven",
        "cervna", "junius", "iunie", "iun", "kesakuu", "kesakuuta", "haziran", "haz", "ιουν", "ιουνιοσ",
        "ιουνιου",
        "ιον", "июн", "июнь", "июня", "чер", "червень", "червня", "юни", "juny", "يونيو", "יוני",
      ],
      [
        "jul", "july", "juli", "juillet", "juil", "julio", "luglio", "lug", "julho", "lipiec", "lipca", "lip",
        "cervenec", "cervence", "julius", "iulie", "iul", "heinakuu", "heinakuuta", "temmuz", "tem", "ιουλ",
        "ιουλιοσ", "ιουλιου", "ιολ", "июл", "июль", "июля", "лип", "липень", "липня", "юли", "juliol",
        "يوليو",
        "יולי",
      ],
      [
        "aug", "august", "aout", "agosto", "ago", "augustus", "augusti", "sierpien", "sierpnia", "sie",
        "srpen",
        "srpna", "augusztus", "elokuu", "elokuuta", "agustos", "agu", "agustus", "αυγ", "αυγουστοσ",
        "αυγουστου",
        "авг", "август", "августа", "сер", "серпень", "серпня", "agost", "أغسطس", "אוגוסט",
      ],
      [
        "sep", "sept", "september", "septembre", "septiembre", "setiembre", "settembre", "set", "setembro",
        "wrzesien", "wrzesnia", "wrz", "zari", "szeptember", "szept", "septembrie", "syyskuu", "syyskuuta",
        "eylul", "eyl", "σεπ", "σεπτ", "σεπτεμβριοσ", "σεπτεμβριου", "сен", "сент", "сентябрь", "сентября",
        "вер",
        "вересень", "вересня", "септември", "setembre", "سبتمبر", "ספטמבר",
      ],
      [
        "oct", "october", "okt", "oktober", "octobre", "octubre", "ottobre", "ott", "outubro", "out",
        "pazdziernik", "pazdziernika", "paz", "rijen", "rijna", "octombrie", "lokakuu", "lokakuuta", "ekim",
        "eki",
        "οκτ", "οκτωβριοσ", "οκτωβριου", "окт", "октябрь", "октября", "жов", "жовтень", "жовтня", "октомври",
        "أكتوبر", "אוקטובר",
      ],
      [
        "nov", "november", "novembre", "noviembre", "novembro", "listopad", "listopada", "listopadu", "lis",
        "noiembrie", "noi", "marraskuu", "marraskuuta", "kasim", "kas", "νοε", "νοεμβριοσ", "νοεμβριου",
        "ноя",
        "нояб", "ноябрь", "ноября", "листопад", "листопада", "ноември", "نوفمبر", "נובמבר",
      ],
      [
        "dec", "december", "dez", "dezember", "decembre", "diciembre", "dic", "dicembre", "dezembro",
        "grudzien",
        "grudnia", "gru", "prosinec", "prosince", "decembrie", "desember", "des", "joulukuu", "joulukuuta",
        "aralik", "ara", "δεκ", "δεκεμβριοσ", "δεκεμβριου", "дек", "декабрь", "декабря", "гру", "грудень",
        "грудня", "декември", "desembre", "ديسمبر", "דצמבר",
      ],
    ]
    var table: [String: Int] = [:]
    for (index, list) in names.enumerated() {
      for name in list {
        var folded = name
        folded = folded.withUTF8 { Self.folded($0) }
        table[folded] = index + 1
      }
    }
    return table
  }()
}
