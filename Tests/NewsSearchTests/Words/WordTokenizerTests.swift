import NewsSearch
import NewsCore
import SeededRandom
import Testing

/// A text and its tokens, separated by spaces; `|` precedes a colocated token, `*` follows a lone character.
struct TokenCase: Sendable, CustomTestStringConvertible {
  var text: String
  var tokens: String
  init(_ text: String, _ tokens: String) {
    self.text = text
    self.tokens = tokens
  }
  var testDescription: String { text }
}

func spelled(_ text: String, _ mode: WordTokenizer.Mode) -> String {
  var result = ""
  for token in WordTokenizer.tokens(of: text, mode: mode) {
    if !result.isEmpty || token.isColocated { result += token.isColocated ? "|" : " " }
    result += token.text + (token.isLoneCharacter ? "*" : "")
  }
  return result
}

@Suite struct `Words of a document` {
  @Test(arguments: [
    TokenCase("", ""),
    TokenCase(" .,;:!? – “”", ""),
    TokenCase("Hello, World", "hello world"),
    TokenCase("snake_case camelCase x86", "snake case camelcase x86"),
    // German, Nordic, Polish, Vietnamese, French
    TokenCase("Müller Straße GRÖSSE", "muller|mueller strasse grosse|groesse"),
    TokenCase("Mu\u{308}ller A\u{30A}se", "muller|mueller ase|aase"),
    TokenCase("Ærø smørrebrød Ångström", "aero|aeroe smorrebrod|smoerrebroed angstrom|aangstroem"),
    TokenCase("Łódź Þór Đà Nẵng œuvre", "lodz thor da nang oeuvre"),
    TokenCase("L’été déjà-vu", "l ete deja|dejavu vu"),
    // Turkish
    TokenCase("İSTANBUL ılık IŞIK", "istanbul ilik isik"),
    // Greek, Cyrillic
    TokenCase("ΟΔΟΣ οδός ᾳ", "οδοσ οδοσ α"),
    TokenCase("Ёлка йод и\u{306}од Київ за\u{301}мок", "елка йод йод київ замок"),
    TokenCase("п'ять п’ять", "пять пять"),
    // Arabic, Persian, Hebrew
    TokenCase("مُحَمَّدٌ أحمد إلى آل مدرسة مـــد", "محمد احمد الي ال مدرسه مد"),
    TokenCase("کتاب ی", "كتاب ي"),
    TokenCase("می\u{200C}خواهم", "مي|ميخواهم خواهم"),
    TokenCase("کتاب\u{200C}های\u{200C}\u{200C}ما\u{200C} x", "كتاب|كتابهايما هاي ما x"),
    TokenCase("co\u{AD}op\u{2060}er\u{200D}ate ab\u{200C}cd क्\u{200D}ष", "cooperate abcd क्ष"),
    TokenCase("ﻣﺤﻤﺪ ١٢٣", "محمد 123"),
    TokenCase("שָׁלוֹם צה\"ל", "שלום צהל"),
    // Scripts without spaces
    TokenCase("北京大学", "北京 京大 大学|学"),
    // Traditional characters are folded to their simplified forms.
    TokenCase("北京大學", "北京 京大 大学|学"), TokenCase("資訊軟體", "资讯 讯软 软体|体"),
    TokenCase("臺灣 頭髮 之後", "台湾|湾 头发|发 之后|后"), TokenCase("裡裏里", "里里 里里|里"),
    TokenCase("中", "中*"),
    TokenCase("東京タワー", "东京 京タ タワ ワー|ー"),
    TokenCase("ｶﾞｷﾞ が\u{3099} か\u{3099}く は\u{309A}", "ガギ|ギ が* がく|く ぱ*"),
    TokenCase("ﾊﾟﾋﾞｳﾞ", "パビ ビヴ|ヴ"),
    TokenCase("대한민국 \u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", "대한 한민 민국|국 한국|국"),
    TokenCase("ไทย", "ไท ทย|ย"),
    // Thai and Lao am composed and decomposed, the tone mark on either side; Khmer with a zero-width space
    TokenCase("น้ำ น\u{E4D}\u{E49}\u{E32} น\u{E49}\u{E4D}\u{E32}", "น้ ้ำ|ำ น้ ้ำ|ำ น้ ้ำ|ำ"),
    TokenCase("คำ ค\u{E4D}\u{E32}", "คำ|ำ คำ|ำ"),
    TokenCase(
      "\u{E99}\u{EB3} \u{E99}\u{ECD}\u{EC9}\u{EB2}",
      "\u{E99}\u{EB3}|\u{EB3} \u{E99}\u{EC9} \u{EC9}\u{EB3}|\u{EB3}"
    ),
    TokenCase("កម្ពុជា\u{200B}ថ្មី x\u{200B}y", "កម ម្ ្ព ពុ ុជ ជា ាថ ថ្ ្ម មី|ី x y"),
    TokenCase("5G网络，2026年", "5g 网络|络 2026 年*"),
    TokenCase("㌔", "キロ|ロ"),
    // Devanagari keeps its vowel signs; compatibility forms and fractions are replaced
    TokenCase("हिन्दी क़लम", "हिन्दी कलम"),
    TokenCase("Ａｂｃ１２ ﬁne Ⅳ ① x² word¹", "abc12 fine iv 1 x2 word"),
    TokenCase("½ 1½ 1/2 1⁄2 ⅟ ⅒ ¾x", "1 2 1 1 2 1 2 1 2 1 1 10 3 4 x"),
    // Numbers, versions, dates
    TokenCase("6.3.1", "6|6.3|6.3.1 3 1"),
    TokenCase("v2.0 v2", "2|2.0 0 v2"),
    TokenCase("20.11.2026", "20|20.11|20.11.2026 11 2026"),
    TokenCase("1,000 12:30 2026-11-20", "1 000 12 30 2026 11 20"),
    TokenCase("100% 3.5% 7 % 8\u{A0}% 9\u{202F}% x%", "100|100% 3|3.5 5|5% 7|7% 8|8% 9|9% x"),
    // Names with punctuation
    TokenCase("C++ C++20 C# F#, Disney+ a+b", "c|c++ c|c++ 20 c|c# f|f# disney|disney+ a b"),
    TokenCase(".NET node.js ASP.NET a...b", "net|.net node js asp net a b"),
    TokenCase("AT&T R&D a & b", "at|at&t t r|r&d d a b"),
    TokenCase(
      "#swift ##x #über @user $AAPL",
      "swift|#swift x|#x uber|ueber|#uber|#ueber user|@user aapl|$aapl"
    ),
    TokenCase("#日本 # @ $", "日本|本"),
    TokenCase("foo@bar.example.org", "foo bar example org"),
    TokenCase("don't it's O'Reilly we’ll", "don|dont t it s o|oreilly reilly we|well ll"),
    TokenCase("e-mail state-of-the-art Covid-19", "e|email mail state of the art covid|covid19 19"),
    // Emoji
    TokenCase("ok😀👍🏽", "ok 😀 👍"),
    TokenCase("🇩🇪🇫🇷 ❤️", "🇩🇪 🇫🇷 ❤"),
    TokenCase("★ ● → © ™ €5", "€ 5"),
  ])
  func `A text gives these tokens`(_ example: TokenCase) {
    #expect(spelled(example.text, .document) == example.tokens)
  }

  /// Everyday words in their forms of Taiwan, Hong Kong and the mainland.
  @Test(arguments: [
    "遊戲 游戏", "旅遊 旅游", "世界盃 世界杯", "週末 周末", "發佈 发布", "佔領 占领", "委託 委托", "祕書 秘书", "秘書 秘书",
    "乾淨 干净", "治癒 治愈", "點讚 点赞", "羣眾 群众", "兇手 凶手", "慾望 欲望", "湧現 涌现", "古蹟 古迹", "痕跡 痕迹",
    "啓動 启动", "啟動 启动", "説話 说话", "說話 说话", "産業 产业", "產業 产业", "峯會 峰会", "衞生 卫生", "衛生 卫生",
    "絶對 绝对", "絕對 绝对", "緑色 绿色", "紀録 纪录", "眞相 真相", "因爲 因为", "因為 因为", "起牀 起床", "路綫 路线",
    "牛肉麪 牛肉面", "裏面 里面", "喫飯 吃饭", "淨化 净化", "洩漏 泄漏", "僱傭 雇佣", "唸書 念书", "嚐試 尝试", "嚮往 向往",
    "圍墻 围墙", "香菸 香烟", "彫刻 雕刻", "彷彿 仿佛", "悽慘 凄惨", "昇級 升级", "崑崙 昆仑", "東嶽 东岳", "巖石 岩石",
    "歎息 叹息", "氾濫 泛滥", "污染 污染", "汙染 污染", "溼地 湿地", "燻製 熏制", "痠痛 酸痛", "癡迷 痴迷", "抽籤 抽签",
    "飯糰 饭团", "駐紮 驻扎", "刺綉 刺绣", "人蔘 人参", "臥室 卧室", "葯物 药物", "蒐集 搜集", "覈查 核查", "證券 证券",
    "証券 证券", "喧譁 喧哗", "豔麗 艳丽", "追遡 追溯", "醣類 糖类", "鍼灸 针灸", "鐵鎚 铁锤", "鑑定 鉴定", "閲讀 阅读",
    "黑闇 黑暗", "顔色 颜色", "餵養 喂养", "養鷄 养鸡", "鹼性 碱性", "妳好 你好", "纔能 才能", "臺灣 台湾", "颱風 台风",
  ])
  func `Traditional characters and variants give the words of their simplified forms`(_ pair: String) {
    let forms = pair.utf8.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    for mode in [WordTokenizer.Mode.document, .query] {
      #expect(spelled(forms[0], mode) == spelled(forms[1], mode))
    }
  }

  @Test(arguments: [
    TokenCase("C++ C# .NET", "c++ c# .net"),
    TokenCase("6.3.1 rc", "6.3.1 3 1 rc"),
    TokenCase("AT&T stock", "at&t t stock"),
    TokenCase("100% 100 %", "100% 100%"),
    TokenCase("#swift #über", "#swift #uber|#ueber"),
    TokenCase("don't e-mail", "don t e mail"),
    TokenCase("Müller", "muller|mueller"),
    TokenCase("北京大学 中", "北京 京大 大学 中*"),
    TokenCase("می\u{200C}خواهم ½", "مي خواهم 1 2"),
  ])
  func `The text of a query gives the expected tokens`(_ example: TokenCase) {
    #expect(spelled(example.text, .query) == example.tokens)
  }

  @Test func `The offsets of tokens are those of their words in the text`() {
    let text = "Zum Ärger: C++ 北京 v6.3"
    let bytes = Array(text.utf8)
    let pieces = WordTokenizer.tokens(of: text, mode: .document).map {
      String(decoding: bytes[$0.start..<$0.end], as: UTF8.self)
    }
    #expect(pieces == ["Zum", "Ärger", "Ärger", "C", "C++", "北京", "京", "v6", "v6.3", "3"])
  }

  @Test func `A long word is truncated, not split`() {
    let long = String(repeating: "ab", count: 5000) + "ü"
    for mode in [WordTokenizer.Mode.document, .query] {
      let tokens = WordTokenizer.tokens(of: "x \(long) y", mode: mode)
      #expect(tokens.map(\.text.utf8.count) == [1, 95, 1])
    }
    // The variant is longer; it must also end between characters.
    for tail in ["ß", "中", "\u{451}", "\u{431}", "\u{10FF}", "x"] {
      let both = WordTokenizer.tokens(of: String(repeating: "ä", count: 46) + "xyz" + tail, mode: .document)
      #expect(both.count >= 2)
      #expect(!both.contains { $0.text.contains("\u{FFFD}") })
    }
    let cyrillic = WordTokenizer.tokens(of: String(repeating: "щ", count: 500), mode: .document)
    #expect(cyrillic.count == 1)
    #expect(cyrillic[0].text.unicodeScalars.allSatisfy { $0 == "щ" })
  }

  @Test func `Tokenizing stops when the consumer returns false`() {
    var seen = 0
    var text = "one two three"
    let finished = text.withUTF8 { bytes in
      WordTokenizer.tokenize(bytes, mode: .document) { _ in
        seen += 1
        return seen < 2
      }
    }
    #expect(!finished)
    #expect(seen == 2)
  }
}

@Suite struct `Words of hostile text` {
  @Test(arguments: 0..<40)
  func `Random bytes give ordered tokens of valid UTF-8 within the source`(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let alphabet: [UInt8] = [
      0x20, 0x2E, 0x2B, 0x23, 0x26, 0x27, 0x25, 0x2D, 0x31, 0x61, 0xC3, 0xBC, 0xE4, 0xB8, 0xAD,
    ]
    for _ in 0..<200 {
      let count = Int(random.next() % 60)
      let bytes = (0..<count).map { _ -> UInt8 in
        let value = random.next()
        return value & 1 == 0
          ? UInt8(truncatingIfNeeded: value >> 8) : alphabet[Int(value >> 8) % alphabet.count]
      }
      for mode in [WordTokenizer.Mode.document, .query] {
        bytes.withUnsafeBufferPointer { buffer in
          var lastStart = 0
          var isFirst = true
          WordTokenizer.tokenize(buffer, mode: mode) { token in
            #expect(!(isFirst && token.isColocated))
            #expect(token.start < token.end && token.end <= count)
            #expect(token.start >= lastStart - 1)
            #expect(!token.bytes.isEmpty && token.bytes.count <= 192)
            #expect(String(validating: token.bytes, as: UTF8.self) != nil)
            lastStart = token.start
            isFirst = false
            return true
          }
        }
      }
    }
  }

  @Test func `Every query token of a text is a token of the document`() {
    let text = "Über 6.3.1 of C++ and AT&T, 北京大学 in ۲۰۲۶ don't #tag v1.2 e-mail ｶﾞ"
    let document = Set(WordTokenizer.tokens(of: text, mode: .document).map(\.text))
    for token in WordTokenizer.tokens(of: text, mode: .query) {
      #expect(document.contains(token.text), "\(token.text)")
    }
  }
}
