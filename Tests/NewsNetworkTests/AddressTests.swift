import NewsCore
import Testing

@testable import NewsNetwork

@Suite struct `Address classes` {
  @Test(arguments: [
    ("0.0.0.0", AddressClass.unspecified), ("0.1.2.3", .unspecified), ("127.0.0.1", .loopback),
    ("127.255.255.254", .loopback), ("10.0.0.1", .private), ("172.15.255.255", .public),
    ("172.16.0.0", .private),
    ("172.31.255.255", .private), ("172.32.0.0", .public), ("192.168.1.1", .private),
    ("192.169.0.1", .public),
    ("169.254.1.1", .linkLocal), ("169.254.169.254", .metadata), ("169.254.170.2", .metadata),
    ("100.63.255.255", .public), ("100.64.0.0", .carrierNAT), ("100.127.255.255", .carrierNAT),
    ("100.128.0.0", .public), ("100.100.100.200", .metadata), ("168.63.129.16", .metadata),
    ("192.0.0.192", .metadata), ("192.0.0.1", .reserved), ("192.0.2.1", .documentation),
    ("198.51.100.7", .documentation), ("203.0.113.9", .documentation), ("192.88.99.1", .reserved),
    ("198.18.0.1", .reserved), ("198.20.0.1", .public), ("224.0.0.1", .multicast),
    ("239.255.255.255", .multicast),
    ("240.0.0.1", .reserved), ("255.255.255.255", .reserved), ("1.1.1.1", .public),
    ("93.184.216.34", .public),
  ])
  func `IPv4 addresses have the class of their block`(text: String, expected: AddressClass) throws {
    #expect(try #require(IPAddress(text)).addressClass == expected)
  }

  @Test(arguments: [
    ("::", AddressClass.unspecified), ("::1", .loopback), ("::2", .unspecified), ("fe80::1", .linkLocal),
    ("febf::1", .linkLocal), ("fec0::1", .private), ("fc00::1", .uniqueLocal), ("fdff::1", .uniqueLocal),
    ("fd00:ec2::254", .metadata), ("fd20:ce::254", .metadata), ("ff02::1", .multicast),
    ("2001:db8::1", .documentation), ("3fff:fff::1", .documentation), ("3fff:1000::1", .public),
    ("2606:4700:4700::1111", .public), ("2001:4860:4860::8888", .public), ("2001:2::1", .reserved),
    ("100::1", .reserved), ("4000::1", .reserved), ("5f00::1", .reserved),
  ])
  func `IPv6 addresses have the class of their block`(text: String, expected: AddressClass) throws {
    #expect(try #require(IPAddress(text)).addressClass == expected)
  }

  @Test(arguments: [
    ("::ffff:127.0.0.1", AddressClass.loopback), ("::ffff:1.1.1.1", .public),
    ("::ffff:0:127.0.0.1", .reserved),
    ("::10.0.0.1", .private), ("64:ff9b::10.1.2.3", .private), ("64:ff9b::8.8.8.8", .public),
    ("64:ff9b:1::8.8.8.8", .private), ("2002:7f00:1::1", .loopback), ("2002:a9fe:a9fe::1", .metadata),
    ("2002:808:808::1", .public),
    // Teredo: server 65.54.227.120 with client 192.0.2.45 (inverted); then client 127.0.0.1; then server 10.0.0.1.
    ("2001:0:4136:e378:8000:63bf:3fff:fdd2", .documentation),
    ("2001:0:4136:e378:8000:63bf:80ff:fffe", .loopback),
    ("2001:0:a00:1:8000:63bf:f7f7:f7f7", .private), ("2001:0:4136:e378:8000:63bf:f7f7:f7f7", .public),
  ])
  func `An IPv6 address that embeds an IPv4 address has the class of the latter`(
    text: String,
    expected: AddressClass
  ) throws {
    #expect(try #require(IPAddress(text)).addressClass == expected)
  }

  @Test(arguments: [
    "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "0x7f.1", "2130706433", ":::", "g::1", "example.org",
  ])
  func `Text that is not an address is rejected`(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.1.2.3", "10.1.2.3", true),
    ("10.1.2.3", "10.1.2.4", false), ("192.168.16.0/20", "192.168.31.255", true),
    ("192.168.16.0/20", "192.168.32.0", false), ("0.0.0.0/0", "9.9.9.9", true), ("0.0.0.0/0", "::1", false),
    ("fd00::/8", "fd12::1", true), ("fd00::/8", "fe12::1", false), ("::1", "::1", true),
  ])
  func `A network contains the addresses of its block`(network: String, address: String, isInside: Bool)
    throws
  {
    let network = try #require(IPNetwork(network))
    #expect(network.contains(try #require(IPAddress(address))) == isInside)
  }

  @Test(arguments: ["10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "10.0.0/8", "fd00::/129", "10.0.0.0/"])
  func `Text that is not a network is rejected`(text: String) {
    #expect(IPNetwork(text) == nil)
    #expect(AllowedDestination(text) == nil)
  }
}

@Suite struct `Request URLs` {
  @Test(arguments: [
    ("HTTP://Example.ORG", "http://example.org/"), ("http://example.org:80/a", "http://example.org/a"),
    ("https://example.org:443", "https://example.org/"),
    ("http://example.org:8080", "http://example.org:8080/"),
    ("http://user:pw@example.org/a#b", "http://example.org/a"),
    ("http://example.org/a/../b/./c", "http://example.org/b/c"),
    ("http://example.org/?q=a b", "http://example.org/?q=a+b"),
    ("  http://example.org/\n", "http://example.org/"),
    ("http://2130706433/", "http://127.0.0.1/"), ("http://0x7f.1/", "http://127.0.0.1/"),
    ("http://127.0.0.1./", "http://127.0.0.1/"), ("http://0x7f.1./x", "http://127.0.0.1/x"),
    ("http://10.1.:80/", "http://10.0.0.1/"), ("http://example.org./", "http://example.org./"),
    ("http://bücher.example/ä", "http://xn--bcher-kva.example/%c3%a4"),
    ("http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
    ("http://例え.テスト/", "http://xn--r8jz45g.xn--zckzah/"),
    ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
    ("http://[::1]:81/x", "http://[::1]:81/x"),
  ])
  func `Different notations of a URL are normalized`(text: String, expected: String) throws {
    #expect(try RequestURL(text).url == expected)
  }

  @Test(arguments: [
    ("http://www.example.co.uk/", "example.co.uk"), ("http://a.b.example.org/", "example.org"),
    ("http://example.org:8080/", "example.org"), ("https://alice.github.io/", "alice.github.io"),
    ("http://127.0.0.1:81/", "127.0.0.1:81"), ("http://[::1]/", "::1:80"),
    ("http://localhost:82/", "localhost:82"),
    ("http://bücher.example/", "xn--bcher-kva.example"), ("http://co.uk/", "co.uk:80"),
  ])
  func `A site is a registrable domain, or host and port`(url: String, site: String) throws {
    #expect(try RequestURL(url).site == site)
  }

  @Test(arguments: [
    ("http://h/a/b?c", "d", "http://h/a/d"), ("http://h/a/b", "../d", "http://h/d"),
    ("http://h/a", "?x", "http://h/a?x"),
    ("https://h/a", "//g/b", "https://g/b"), ("http://h/a", "https://g", "https://g/"),
    ("http://h/a", "#f", "http://h/a"),
    ("http://h:81/a", "/b c", "http://h:81/b%20c"), ("http://u:p@h/a", "/b", "http://h/b"),
  ])
  func `Relative redirect targets are resolved`(base: String, location: String, expected: String) throws {
    #expect(try RequestURL(base).resolving(location).url == expected)
  }
}

@Suite struct `Site keys` {
  @Test(arguments: [
    "https://www.example.co.uk/feed", "http://a.b.example.org:8080/?x#y", "https://example.org",
    "http://127.0.0.1:4711/a",
    "http://10.0.0.1/", "http://2130706433/", "http://0x7f.1/", "http://127.1:80/", "http://0177.0.0.1/",
    "http://EXAMPLE.org/", "https://user:secret@example.org/", "http://[::1]:80/", "https://münchen.example/",
    "http://localhost:99/", "http://localhost/", "https://example.org.:443/", "http://1.2.3.4.5/",
    "http://256.1.1.1/",
    "https://example.org:/", "http://example.org:0080/", "https://blog.github.io/a", "http://com/",
  ])
  func `The site computed without the URL parser is the same as with it`(_ url: String) {
    #expect(SiteKey.of(url) == (try? RequestURL(url))?.site ?? url)
  }
}
