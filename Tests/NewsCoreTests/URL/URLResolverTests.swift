import NewsCore
import Testing

@Suite struct `URL resolution` {
  static let standard: [(reference: String, result: String)] = [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
    (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
    ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
    ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"),
    // Section 5.4.2, abnormal examples.
    ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"),
    ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"),
    ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http://a/b/c/g"),
  ]

  @Test(arguments: standard)
  func `References resolve as in RFC 3986 section 5.4`(_ example: (reference: String, result: String)) {
    #expect(
      URLResolver.resolve(example.reference, base: "http://a/b/c/d;p?q", policy: .field) == example.result
    )
  }

  static let cleaned: [(reference: String, base: String?, result: String?)] = [
    (" https://example.org/a ", nil, "https://example.org/a"),
    ("\n\thttps://example.org/a\n\t/b\n", nil, "https://example.org/a/b"),
    ("https://example.org/a b", nil, "https://example.org/a%20b"),
    ("https://example.org/\"<a>\"", nil, "https://example.org/%22%3Ca%3E%22"),
    ("https://example.org/straße?ü#ö", nil, "https://example.org/straße?ü#ö"),
    ("HTTPS://Example.org/", nil, "https://Example.org/"),
    ("https:\\\\example.org\\a?b\\c", nil, "https://example.org/a?b\\c"),
    ("https:///example.org/a", nil, "https://example.org/a"),
    ("https:/example.org/a", nil, "https://example.org/a"),
    ("https:b", "http://example.org/a", "https://b"),
    ("https://example.org/a/../b/./c", nil, "https://example.org/b/c"),
    ("https://example.org", nil, "https://example.org"),
    // No host, but a port or a user.
    ("http::/x", nil, nil), ("http://:80/", nil, nil), ("http://user@/x", nil, nil),
    ("//:1", "http://a/", nil),
    ("http://u:p@example.org:1/x", nil, "http://u:p@example.org:1/x"),
    // C1 controls and zero-width spaces within the reference.
    ("https://example.org/a\u{8C}#b", nil, "https://example.org/a%C2%8C#b"),
    ("https://example.org/a\u{200B}b\u{A0}c", nil, "https://example.org/a%E2%80%8Bb%C2%A0c"),
    ("https://example.org/\u{202A}a\u{202E}b", nil, "https://example.org/%E2%80%AAa%E2%80%AEb"),
    ("https://example.org/\u{2066}a\u{2069}b", nil, "https://example.org/%E2%81%A6a%E2%81%A9b"),
    ("", "https://example.org/a\u{8C}#b", "https://example.org/a%C2%8C"),
    ("https://", nil, nil), ("http:", nil, nil), ("//", "https://example.org/", nil), ("", nil, nil),
    ("   ", nil, nil), ("", "https://example.org/a?b#c", "https://example.org/a?b"),
    ("\u{FEFF}https://example.org/a\u{A0}", nil, "https://example.org/a"),
    ("a/b", nil, "a/b"), ("/a b", nil, "/a%20b"), ("a", "not absolute", "a"),
    ("a:b/c", nil, nil), ("1:b", nil, nil), ("./a:b", nil, "./a:b"),
    ("b", "https://example.org", "https://example.org/b"),
    ("?b", "https://example.org", "https://example.org?b"),
    ("#b", "mailto:a@example.org", "#b"),
    ("mailto:a@example.org", "https://example.org/", "mailto:a@example.org"),
    ("\\\\example.com\\a", "https://example.org/", "https://example.com/a"),
  ]

  @Test(arguments: cleaned)
  func `References with spaces, backslashes, controls or missing parts are normalized or rejected`(
    _ example: (reference: String, base: String?, result: String?)
  ) {
    #expect(URLResolver.resolve(example.reference, base: example.base) == example.result)
  }

  @Test(arguments: [
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)",
    "java\tscript:alert(1)", "java\u{0}script:alert(1)", "\u{1}javascript:alert(1)",
    "javascript\r\n:alert(1)",
    "\u{200B}javascript:alert(1)", "\u{A0}javascript:alert(1)", "java\u{200B}script:alert(1)",
    "vbscript:msgbox", "data:text/html,<script>alert(1)</script>", "data:text/html;base64,PHNjcmlwdD4=",
    "DATA:,x",
    "livescript:x", "view-source:javascript:x", "blob:https://example.org/x", "file:///etc/passwd",
    "about:blank",
    "feed\u{0}:javascript:x", "jar:https://example.org!/x",
  ])
  func `References with schemes that run code or read files never give a URL with such a scheme`(
    _ reference: String
  ) {
    for policy in [URLPolicy.link, .resource, .field] {
      let result = URLResolver.resolve(reference, base: nil, policy: policy)
      #expect(result == nil || result?.hasPrefix("feed:") == true)
      let resolved = URLResolver.resolve(reference, base: "https://example.org/", policy: policy)
      #expect(
        resolved == nil || resolved?.hasPrefix("https://example.org/") == true
          || resolved?.hasPrefix("feed:") == true
      )
    }
  }

  @Test func `Links may have schemes such as tel, resources only web schemes`() {
    #expect(URLResolver.resolve("tel:+4930", base: nil, policy: .link) == "tel:+4930")
    #expect(URLResolver.resolve("magnet:?xt=urn:btih:1", base: nil) == "magnet:?xt=urn:btih:1")
    #expect(URLResolver.resolve("tel:+4930", base: nil, policy: .resource) == nil)
    #expect(URLResolver.resolve("tag:example.org,2026:1", base: nil, policy: .link) == nil)
    #expect(
      URLResolver.resolve("tag:example.org,2026:1", base: nil, policy: .field) == "tag:example.org,2026:1"
    )
    #expect(URLResolver.resolve("unknown:x", base: nil, policy: .link) == nil)
  }

  @Test
  func `A base URL is normalized and loses its fragment; one that is not an absolute web URL is refused`() {
    #expect(BaseURL(" https://example.org/a/../b#c ")?.string == "https://example.org/b")
    #expect(BaseURL("/relative") == nil)
    #expect(BaseURL("mailto:a@example.org") == nil)
    #expect(BaseURL("javascript:x") == nil)
    #expect(BaseURL("https://example.org/" + String(repeating: "a", count: 5000)) == nil)
  }

  @Test func `Twenty thousand dot segments after a long path are removed`() {
    let path = String(repeating: "/a", count: 20_000) + String(repeating: "/..", count: 20_000)
    #expect(URLResolver.resolve("https://example.org" + path, base: nil) == "https://example.org/")
  }
}

@Suite struct `URL comparison` {
  @Test func `Scheme, host and origin are extracted`() {
    #expect(URLParts.scheme(of: "HTTPS://x") == "https")
    #expect(URLParts.scheme(of: "/x") == nil)
    #expect(WebAddress("https://user:pw@Example.ORG:8080/x")?.host == "example.org")
    #expect(WebAddress("http://[2001:DB8::1]:80/")?.host == "[2001:db8::1]")
    #expect(WebAddress("mailto:a@example.org") == nil)
    #expect(WebAddress("https://Example.org:443/x")?.root == "https://example.org")
    #expect(WebAddress("http://example.org:8080/x")?.root == "http://example.org:8080")
    #expect(WebAddress("https:///") == nil)
  }

  @Test(arguments: [
    ("http://example.org/a/%2e%2E/b", "http://example.org/b"),
    ("HTTP://Example.ORG:80/%7euser/../a%2fb?q#f", "http://example.org/a%2Fb?q"),
    ("https://example.org", "https://example.org/"),
    ("https://example.org/ä", "https://example.org/%C3%A4"),
    ("https://example.org:/", "https://example.org/"),
    ("mailto:a@example.org", "mailto:a@example.org"),
    ("https://example.org/%%33", "https://example.org/%253"),
    ("https://example.org/100%?%zz%4", "https://example.org/100%25?%25zz%254"),
  ])
  func `Equal URLs have one canonical form`(_ url: String, _ canonical: String) {
    #expect(WebAddress.canonical(url) == canonical)
    #expect(WebAddress.canonical(canonical) == canonical)
  }
}
