#!/usr/bin/env python3
"""Writes all generated tables, each in the target that uses it:

    python3 tools/generate-tables.py /usr/share/unicode

- UnicodeTables: what each Unicode scalar is to a word: a letter, a letter that is replaced by others (case folded,
  decomposed, unified), a mark to drop, a character of a script written without spaces, a symbol that is a word by
  itself, or a border between words
- DisplayWidthTable: which characters take no column of a terminal, and which take two
- HTMLEntityTable: the named character references of HTML

The Unicode data come from the package unicodedata2 (pip install unicodedata2), because Python's own are older. The
argument is the folder of Debian's package unicode-data, for simplified Chinese characters and the ages of characters.
Words know only the characters of Unicode 14.0: a further letter would change the words of items that are in the indexes
of stores (docs/decisions/0006-own-word-tokenizer.md). The names of HTML come from Python's html.entities.
"""

import bz2
import contextlib
import html.entities
import os
import sys

import unicodedata2 as unicodedata

# Classes; UnicodeTables.swift repeats these numbers as `CharacterClass`.
(SEPARATOR, LETTER, MAPPED, MAPPED_MANY, IGNORED, COMPOSING, UNSPACED, UNSPACED_MAPPED, UNSPACED_MANY, SYMBOL,
 REGIONAL, JAMO, APOSTROPHE, NON_JOINER, VARIANT, VOICING, FRACTION) = range(17)

LIMIT = 0x32400  # no letters above, but for private use and tags
BLOCK = 16  # the size that makes the table smallest

# Letters whose mark makes another letter of the alphabet, not an accent: й, ў, ї, ѓ, ќ.
KEPT = {0x0439, 0x045E, 0x0457, 0x0453, 0x045C}
COMPOSING_MARKS = {0x0301, 0x0306, 0x0308, 0x030A}
VOICING_MARKS = {0x3099, 0x309A, 0x309B, 0x309C, 0xFF9E, 0xFF9F}
APOSTROPHES = {0x2018, 0x2019, 0x02BB, 0x02BC, 0x02B9, 0xFF07, 0x2032}

# Letters that no decomposition reaches.
SPECIAL = {
    0x00E6: "ae", 0x0153: "oe", 0x00DF: "ss", 0x1E9E: "ss", 0x0142: "l", 0x0111: "d", 0x00F0: "d", 0x00FE: "th",
    0x0127: "h", 0x0131: "i", 0x0130: "i", 0x0167: "t", 0x014B: "n", 0x0138: "k", 0x0192: "f", 0x0180: "b",
    0x0268: "i", 0x0289: "u", 0x0247: "e", 0x024D: "r", 0x024F: "y", 0x0237: "j",
    # Arabic: forms of alef, ya, ta marbuta, and the letters that Persian and Urdu keyboards send instead.
    0x0671: "\u0627", 0x0672: "\u0627", 0x0673: "\u0627", 0x0649: "\u064A", 0x06CC: "\u064A", 0x06CD: "\u064A",
    0x06D2: "\u064A", 0x06D3: "\u064A", 0x0629: "\u0647", 0x06A9: "\u0643", 0x06AA: "\u0643", 0x06C0: "\u0647",
    0x06C1: "\u0647", 0x06C2: "\u0647", 0x06C3: "\u0647", 0x06BE: "\u0647", 0x06D5: "\u0647",
    # Devanagari: chandrabindu is often written as anusvara.
    0x0901: "\u0902",
}
# What readers type for a letter with dots or ring, in two ways.
VARIANTS = {0x00E4: ("a", "ae"), 0x00F6: ("o", "oe"), 0x00FC: ("u", "ue"), 0x00F8: ("o", "oe"), 0x00E5: ("a", "aa")}

# The newest Unicode version whose characters are parts of words.
WORDS_AGE = 14

DROPPED_MARKS = [
    (0x0300, 0x036F), (0x0483, 0x0489), (0x0591, 0x05C7), (0x0610, 0x061A), (0x064B, 0x065F), (0x0670, 0x0670),
    (0x06D6, 0x06ED), (0x0711, 0x0711), (0x0730, 0x074A), (0x08CA, 0x08FF), (0x093C, 0x093C), (0x09BC, 0x09BC),
    (0x0A3C, 0x0A3C), (0x0ABC, 0x0ABC), (0x0B3C, 0x0B3C), (0x0C3C, 0x0C3C), (0x0CBC, 0x0CBC), (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F),
]
UNSPACED_RANGES = [
    (0x0E01, 0x0E3A), (0x0E40, 0x0E4E), (0x0E80, 0x0ECD), (0x0EDC, 0x0EDF), (0x1000, 0x109F), (0x1100, 0x11FF),
    (0x1780, 0x17D3), (0x17D7, 0x17D7), (0x17DC, 0x17DD), (0x1950, 0x19DF), (0x1A20, 0x1AAD), (0x1B00, 0x1B4B),
    (0x3005, 0x3007), (0x3021, 0x302F), (0x3031, 0x3035), (0x3038, 0x303C), (0x3041, 0x3096), (0x309D, 0x309F),
    (0x30A1, 0x30FA), (0x30FC, 0x30FF), (0x3105, 0x318E), (0x31A0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xA000, 0xA48C), (0xA960, 0xA97C), (0xA980, 0xA9CF), (0xA9E0, 0xA9FE), (0xAA60, 0xAADF), (0xAC00, 0xD7A3),
    (0xD7B0, 0xD7FB), (0x1B000, 0x1B16F), (0x20000, 0x323AF),
]
# Symbols used as bullets, frames and legal marks: no words.
NO_SYMBOLS = [
    (0x00A6, 0x00A6), (0x00A9, 0x00A9), (0x00AE, 0x00AE), (0x00B0, 0x00B0), (0x2100, 0x214F), (0x2190, 0x21FF),
    (0x2300, 0x2319), (0x231C, 0x23E8), (0x2400, 0x243F), (0x2500, 0x25B5), (0x25B7, 0x25BF), (0x25C1, 0x25FF),
    (0x2605, 0x2606), (0x2794, 0x2794), (0x2798, 0x27BF), (0x2800, 0x28FF), (0x2B00, 0x2B4F), (0x2E80, 0x303F),
    (0x3190, 0x33FF), (0x4DC0, 0x4DFF), (0xA490, 0xA4CF), (0xFFE4, 0xFFFD),
]


def simplified_forms(folder):
    """For each traditional character of the basic plane its simplified form, followed to the end of chains."""
    forms = {}
    with bz2.open(os.path.join(folder, "Unihan_Variants.txt.bz2"), "rt", encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if len(fields) != 3 or fields[1] != "kSimplifiedVariant":
                continue
            code = int(fields[0][2:], 16)
            # A character that is also its own simplified form in some words is read as the other one.
            targets = [int(word[2:].split("<")[0], 16) for word in fields[2].split()]
            targets = [target for target in targets if target != code and target < 0x10000]
            if targets and code < 0x10000:
                forms[code] = targets[0]
    result = {}
    for code in forms:
        seen, end = [code], code
        while end in forms and forms[end] not in seen:
            end = forms[end]
            seen.append(end)
        # A circle of forms is read as its least character.
        result[code] = min(seen[seen.index(forms[end]):]) if end in forms else end
    return {code: form for code, form in result.items() if form != code}


def known_characters(folder):
    """The code points that `WORDS_AGE` or an earlier version assigns."""
    known = set()
    with open(os.path.join(folder, "DerivedAge.txt"), encoding="utf-8") as lines:
        for line in lines:
            fields = line.split("#")[0].split(";")
            if len(fields) == 2 and float(fields[1]) <= WORDS_AGE:
                first, _, last = fields[0].strip().partition("..")
                known.update(range(int(first, 16), int(last or first, 16) + 1))
    return known


# Pairs of a character and its simplified form that Unihan lists as variants of another kind, or not at all: forms that
# only Hong Kong or Taiwan uses, and variants that the standard of 1955 replaced. Unihan's own lists of variants are too
# wide: they also unite characters with different meanings. The last row replaces rare forms that Unihan prefers.
OTHER_FORMS = """
    裏里 遊游 盃杯 週周 佈布 佔占 侷局 俬私 倖幸 僱雇 兇凶 冑胄 剷铲 勳勋 卹恤 厠厕 厤历 唸念 啓启 喫吃 嚐尝 嚥咽 嚮向 囌苏
    塚冢 墻墙 壎埙 壜坛 嫋袅 嫺娴 嬀妫 孃娘 寀采 峯峰 崑昆 崙仑 嶽岳 巖岩 巹卺 廕荫 弔吊 彆别 彔录 彫雕 彿佛 彷仿 悽凄 慼戚
    慾欲 捱挨 擣捣 擡抬 旂旗 昇升 朮术 枱台 枴拐 柺拐 査查 棊棋 榘矩 榦干 槓杠 樑梁 簷檐 欅榉 歎叹 殭僵 殻壳 氾泛 汎泛
    汙污 泝溯 洩泄 淒凄 淨净 淩凌 湧涌 溼湿 滷卤 潙沩 灩滟 燉炖 燬毁 燻熏 爲为 牀床 犛牦 獃呆 琱雕 璿璇 甕瓮 産产 甦苏 痠酸
    痺痹 瘻瘘 癒愈 癡痴 皁皂 眞真 睪睾 祕秘 稜棱 竪竖 箇个 簑蓑 籤签 糉粽 糰团 紮扎 絃弦 絶绝 綉绣 綑捆 綫线 綳绷 緑绿 縴纤
    罎坛 羣群 羨羡 羶膻 翫玩 脣唇 脩修 臥卧 舘馆 菴庵 菸烟 葯药 蒐搜 蒓莼 蓆席 蔘参 藴蕴 蝨虱 蠍蝎 蠔蚝 衆众 衞卫 襉裥 覈核
    証证 説说 諡谥 謡谣 譁哗 譟噪 譭毁 讚赞 豔艳 踰逾 蹟迹 蹠跖 遡溯 醃腌 醖酝 醣糖 釦扣 鈅钥 鉆钻 鉢钵 鋭锐 録录 錼镎 鍊炼
    鍼针 鎌镰 鎚锤 鎭镇 鑑鉴 閲阅 闇暗 陞升 霑沾 頽颓 齶腭 顔颜 餈糍 餬糊 餵喂 饑饥 鬨哄 鮝鲞 鳬凫 鵰雕 鶿鹚 鷄鸡 鷴鹇
    麪面 麺面 齧啮 敍叙 菓果 妳你 堿碱 効效 両两 麤粗 逹达 鉄铁 鑛矿 邨村 纔才 畧略 竝并 羮羹 稾稿 砲炮 舖铺 寳宝
    託托 讬托 儁俊 奬奖 噁恶 壠垄 鹼碱 硷碱
"""
KNOWN = known_characters(sys.argv[1])
SIMPLIFIED = simplified_forms(sys.argv[1])
SIMPLIFIED |= {ord(pair[0]): ord(pair[1]) for pair in OTHER_FORMS.split() if pair[0] != pair[1]}
# A form that has another form in turn is followed to the end.
SIMPLIFIED = {code: SIMPLIFIED.get(form, form) for code, form in SIMPLIFIED.items()}


def within(cp, ranges):
    return any(low <= cp <= high for low, high in ranges)


def is_dropped(cp):
    return within(cp, DROPPED_MARKS) and unicodedata.category(chr(cp))[0] == "M"


def is_ignorable(cp):
    return (unicodedata.category(chr(cp)) == "Cf" and cp not in (0x200B, 0x200C)) or 0xFE00 <= cp <= 0xFE0F \
        or 0x180B <= cp <= 0x180F or 0x1F3FB <= cp <= 0x1F3FF or cp in (0x0640, 0x05F3, 0x05F4, 0x034F)


def is_word(cp):
    return unicodedata.category(chr(cp))[0] in "LNM" and not is_dropped(cp)


def is_unspaced(cp):
    return within(cp, UNSPACED_RANGES) and unicodedata.category(chr(cp))[0] in "LMN" \
        and unicodedata.category(chr(cp)) != "Nd"


def compose_kana(text):
    return "".join(unicodedata.normalize("NFC", text)) if any(0x3040 <= ord(c) <= 0x30FF for c in text) else text


def folded(cp):
    """The scalars that stand for `cp`, as a string."""
    digit = unicodedata.digit(chr(cp), None) if unicodedata.category(chr(cp)) == "Nd" else None
    if digit is not None:
        return str(digit)
    if 0xAC00 <= cp <= 0xD7A3 or 0x3131 <= cp <= 0x318E or cp in KEPT:
        return chr(cp)
    if 0xFFA0 <= cp <= 0xFFDC:  # half-width jamo: the full-width letter, not the conjoining one below it
        step = unicodedata.decomposition(chr(cp)).split()
        return chr(int(step[-1], 16))
    if cp == 0x0E33 or cp == 0x0EB3:
        return chr(cp)
    lower = chr(cp).lower()
    if len(lower) == 1 and ord(lower) in KEPT:
        return lower
    text = chr(cp)
    for _ in range(4):
        before = text
        parts = []
        for c in text:
            low = c.lower()
            if ord(c) in SPECIAL:
                parts.append(SPECIAL[ord(c)])
            elif len(low) == 1 and ord(low) in SPECIAL:
                parts.append(SPECIAL[ord(low)])
            elif ord(c) in SIMPLIFIED:
                parts.append(chr(SIMPLIFIED[ord(c)]))
            elif 0xAC00 <= ord(c) <= 0xD7A3 or 0x3041 <= ord(c) <= 0x30FF or ord(c) in KEPT:
                parts.append(c)
            else:
                parts.append(unicodedata.normalize("NFKD", c))
        text = "".join(c for c in "".join(parts) if not is_dropped(ord(c))).casefold()
        if text == before:
            break
    return compose_kana(text)


def entry_for(cp):
    """Class and replacement."""
    char = chr(cp)
    category = unicodedata.category(char)
    if cp not in KNOWN:
        return SEPARATOR, None
    if cp in COMPOSING_MARKS:
        return COMPOSING, None
    if cp in VOICING_MARKS:
        return VOICING, None
    if cp in APOSTROPHES:
        return APOSTROPHE, None
    if cp == 0x200C:
        return NON_JOINER, None
    if 0x1F1E6 <= cp <= 0x1F1FF:
        return REGIONAL, None
    if is_dropped(cp) or is_ignorable(cp):
        return IGNORED, None
    lower = char.lower()
    if len(lower) == 1 and ord(lower) in VARIANTS:
        return VARIANT, VARIANTS[ord(lower)]
    if cp == 0x212B:  # the ångström sign
        return VARIANT, VARIANTS[0x00E5]
    if cp == 0x01FE or cp == 0x01FF:
        return VARIANT, VARIANTS[0x00F8]
    decomposition = unicodedata.decomposition(char)
    if decomposition.startswith("<fraction>"):
        return FRACTION, tuple(unicodedata.normalize("NFKD", char).split("\u2044"))
    if category[0] in "ZC" or cp in (0x2120, 0x2122, 0x2116):
        return SEPARATOR, None
    # Superscript figures are footnote marks, but for square and cubic metres.
    if decomposition.startswith("<super>") and category == "No" and cp not in (0x00B2, 0x00B3):
        return SEPARATOR, None
    if 0x1100 <= cp <= 0x1112 or 0x1161 <= cp <= 0x1175 or 0x11A8 <= cp <= 0x11C2:
        return JAMO, None
    is_candidate = category[0] in "LMN" or (category in ("So", "Sm", "Po") and decomposition)
    if is_candidate:
        text = "".join(c for c in folded(cp) if is_word(ord(c)))
        if text:
            unspaced = [is_unspaced(ord(c)) for c in text]
            if all(unspaced):
                if text == char:
                    return UNSPACED, None
                return (UNSPACED_MAPPED if len(text) == 1 else UNSPACED_MANY), text
            if any(unspaced):
                return SEPARATOR, None
            if text == char:
                return LETTER, None
            return (MAPPED if len(text) == 1 else MAPPED_MANY), text
        return SEPARATOR, None
    if category in ("So", "Sc") and not within(cp, NO_SYMBOLS):
        return SYMBOL, None
    return SEPARATOR, None


def sextets(value, count):
    return "".join(chr(48 + (value >> (6 * (count - 1 - i)) & 63)) for i in range(count))


def literal(name, doc, text):
    lines = [text[i:i + 100] for i in range(0, len(text), 100)]
    print(f"\n  /// {doc}")
    print(f"  static let {name}: StaticString = #\"\"\"")
    print("\\#\n".join("    " + line for line in lines))
    print("    \"\"\"#")


def write_words():
    pool, places = [], {}

    def place(key, values):
        if key not in places:
            places[key] = len(pool)
            pool.extend(values)
        return places[key]

    blocks, numbers, first = [], {}, []
    for start in range(0, LIMIT, BLOCK):
        cells = []
        for cp in range(start, start + BLOCK):
            if 0xD800 <= cp <= 0xDFFF:
                kind, text = SEPARATOR, None
            else:
                kind, text = entry_for(cp)
            index = 0
            if kind in (MAPPED, UNSPACED_MAPPED):
                index = place(("one", text), [ord(text)])
            elif kind in (MAPPED_MANY, UNSPACED_MANY):
                index = place(("many", text), [len(text)] + [ord(c) for c in text])
            elif kind == FRACTION:
                index = place(("fraction",) + text, [int(text[0]), int(text[1] or 0)])
            elif kind == VARIANT:
                index = place(("variant",) + text, [ord(text[0]), ord(text[1][1])])
            assert index < 1 << 13, "the pool is full"
            cells.append(sextets(kind << 13 | index, 3))
        block = "".join(cells)
        if block not in numbers:
            numbers[block] = len(blocks)
            blocks.append(block)
        first.append(sextets(numbers[block], 2))
    assert len(blocks) < 4096

    print(HEADER)
    print("// swift-format-ignore-file")
    print("\n/// The class of every Unicode scalar. Six bits to a character, `0` to `o`.")
    print("enum UnicodeTables {")
    print("  /// Scalars from this value on separate words.")
    print(f"  static let limit: UInt32 = {LIMIT:#x}")
    literal("ascii", "Each byte in lower case; `_` for all but ASCII letters and digits.",
            "".join(chr(b).lower() if b < 128 and chr(b).isalnum() else "_" for b in range(256)))
    literal("blocks", f"For each {BLOCK} scalars the number of their block in `entries`; two characters each.",
            "".join(first))
    literal("entries", "Class (5 bits) and place in `pool` (13 bits) of each scalar; three characters each.",
            "".join(blocks))
    literal("pool", "Replacements; four characters for each scalar or count.",
            "".join(sextets(v, 4) for v in pool))
    print("}")


# Number signs and the like that stand before digits (Prepended_Concatenation_Mark): visible, although of category Cf.
PREPENDED = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}


def is_zero(code, char):
    if code == 0xAD:  # The soft hyphen shows as a hyphen on terminals.
        return False
    if 0x1160 <= code <= 0x11FF or 0xD7B0 <= code <= 0xD7FF:  # Hangul vowels and finals join the syllable before.
        return True
    return unicodedata.category(char) in ("Mn", "Me", "Cf") and code not in PREPENDED


def is_wide(code, char):
    if unicodedata.east_asian_width(char) in "WF":
        return True
    if 0x1F1E6 <= code <= 0x1F1FF:  # A letter of a flag that stands alone is drawn as wide as a flag.
        return True
    # Planes 2 and 3 are ideographs throughout, assigned or not.
    return 0x20000 <= code <= 0x2FFFD or 0x30000 <= code <= 0x3FFFD


def ranges(belongs):
    found, start = [], None
    for code in range(0x80, 0x110000):
        inside = not 0xD800 <= code <= 0xDFFF and belongs(code, chr(code))
        if inside and start is None:
            start = code
        elif not inside and start is not None:
            found.append((start, code - 1))
            start = None
    if start is not None:
        found.append((start, 0x10FFFF))
    return found


def is_ambiguous(code, char):
    if is_zero(code, char) or 0xE000 <= code <= 0xF8FF or code >= 0xF0000:
        return False
    return unicodedata.east_asian_width(char) == "A"


def table(name, comment, pairs):
    print(f"  /// {comment}")
    print(f"  static let {name}: [UInt32] = [")
    numbers = [f"0x{number:X}" for pair in pairs for number in pair]
    line = "   "
    for number in numbers:
        if len(line) + len(number) + 2 > 108:
            print(line)
            line = "   "
        line += f" {number},"
    print(line)
    print("  ]")


def write_widths():
    print(HEADER)
    print()
    print("/// Characters that take no column of a terminal, and characters that take two: ascending pairs of first and")
    print("/// last code point.")
    print("enum DisplayWidthTable {")
    table("zero", "Marks and format characters: no column of their own.", ranges(is_zero))
    print()
    table("wide", "East Asian Wide and Fullwidth: two columns.", ranges(lambda c, s: is_wide(c, s) and not is_zero(c, s)))
    print()
    table("ambiguous", "East Asian Ambiguous: one column or two, by locale.", ranges(is_ambiguous))
    print("}")


def write_entities():
    names = html.entities.html5

    def shown(char):
        # Marks, spaces and format characters are escaped, because an editor would not show them.
        return char if unicodedata.category(char)[0] in "LNPS" else "\\#u{%x}" % ord(char)

    lines, line = [], ""
    for name in sorted(n[:-1] for n in names if n.endswith(";")):
        entry = name + ("~" if name in names else "=") + "".join(map(shown, names[name + ";"])) + " "
        if len(line) + len(entry) > 104:
            lines.append(line)
            line = ""
        line += entry
    lines.append(line)
    print("// Generated by tools/generate-tables.py. Do not edit.")
    print()
    print("/// The named character references of the HTML standard (section 13.5). Each consists of its name without semicolon,")
    print("/// `=` or `~` (semicolon optional), its characters, and a space.")
    print("enum HTMLEntityTable {")
    print('  static let text: StaticString = #"""')
    print("\\#\n".join("    " + line for line in lines))
    print('    """#')
    print("}")


HEADER = f"// Generated by tools/generate-tables.py from Unicode {unicodedata.unidata_version}. Do not edit."
for path, write in [
    ("NewsService/Search/Generated/UnicodeTables.swift", write_words),
    ("Interfaces/Text/Generated/DisplayWidthTable.swift", write_widths),
    ("NewsService/Syndication/Generated/HTMLEntityTable.swift", write_entities),
]:
    path = os.path.join(os.path.dirname(__file__), "../Sources", path)
    with open(path, "w", encoding="utf-8") as file, contextlib.redirect_stdout(file):
        write()
