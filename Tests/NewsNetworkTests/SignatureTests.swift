import NewsCore
import NewsToolbox
import TestServer
import Testing

@testable import NewsNetwork

@Suite struct `Hashes and signatures` {
  /// FIPS 180-4 examples, and message lengths around block boundaries.
  @Test(arguments: [
    (SecureHash.sha1, "", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    (SecureHash.sha1, "abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha1, "x", 55, "cef734ba81a024479e09eb5a75b6ddae62e6abf1"),
    (.sha1, "x", 56, "901305367c259952f4e7af8323f480d59f81335b"),
    (.sha1, "x", 64, "bb2fa3ee7afb9f54c6dfb5d021f14b1ffe40c163"),
    (.sha1, "x", 111, "ebcb0b3e48c9ef45a6cea955e622bad8c29ff4e7"),
    (.sha1, "x", 112, "27fa638e78d8524dae129c782bb9042f0caed9f9"),
    (.sha1, "x", 128, "150fa3fbdc899bd0b8f95a9fb6027f564d953762"),
    (.sha1, "x", 1000, "c3efa690fa3fdd2e2526853eed670538ea127638"),
    (SecureHash.sha256, "", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (SecureHash.sha256, "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (.sha256, "x", 55, "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072"),
    (.sha256, "x", 56, "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e"),
    (.sha256, "x", 64, "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c"),
    (.sha256, "x", 111, "5ba60613dba318e9ed9020301e5dc59c721c19d82862e4d03718708aa75d2bad"),
    (.sha256, "x", 112, "87bf6e70ecc829aa717756ac6797b82de8b30fca1281ea1659df31949839fc6b"),
    (.sha256, "x", 128, "24da1b81d0b16df6428eee73c69fcb2a93c76bc6df706f0c6670fe6bfe800464"),
    (.sha256, "x", 1000, "44f8354494a5ba03ba1792a8d3e9c534c47a9181980fde7a3f44b06ef2ae7c7f"),
    (
      SecureHash.sha384, "", 1,
      "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b"
    ),
    (
      SecureHash.sha384, "abc", 1,
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
    ),
    (
      .sha384, "x", 55,
      "a66523395070ed9a9f4be8faab9d76cb2bf631e835177ac1e5a14308f9a56b939964f8597819be798318f3db67a0d995"
    ),
    (
      .sha384, "x", 56,
      "ab8d350a9c9d2b1bf44d3289a3ea0d28aa2917ae128397cfa389d918e32f57d30ad82f6297ef7e6647c4c12dc30efb64"
    ),
    (
      .sha384, "x", 64,
      "06122472d006e27564bf1287c9623bbd83f33f8358a24668ab81527f114566393f79645fd25bb5713ae8aed491031cbe"
    ),
    (
      .sha384, "x", 111,
      "dfec6588f894c2b089119e1884a23941e5aa69ed38702839cf7352ac6d155d315693bb5d26b7468d8b69ecf4631ef419"
    ),
    (
      .sha384, "x", 112,
      "d8489693bc428374931aedf508740398d9d4a92887116fecb2fcdd91c68b9db329fc4a474e05e78c3eb34e649a6b5c77"
    ),
    (
      .sha384, "x", 128,
      "e660584956c8b1df44c92acb7c8eccfe0dca5255627c9fb44637c15363b772e5709edcf35b07bf43531951ab2fd51130"
    ),
    (
      .sha384, "x", 1000,
      "f096805600f4ca46f56b08074af11e7ec1da65cc3a66457c11ae0724d0c2e3912428dbc43d4ebc1cd0d7886109b07580"
    ),
    (
      SecureHash.sha512, "", 1,
      "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
    ),
    (
      SecureHash.sha512, "abc", 1,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (
      .sha512, "x", 55,
      "db9981645857e59805132f7699e78bbcf39f69380a41aac8e6fa158a0593f2017ffe48764687aa855dae3023fcceefd51a1551d57730423df18503e80ba381ba"
    ),
    (
      .sha512, "x", 56,
      "a9436ec7761f9f0d5fa48e652d72b54622f763b36106e6551900b32f6cd7f4d88dbeaadeb866d7f5311663eda3bbcda04ffb5a8e6779e14b84e95da5327c083e"
    ),
    (
      .sha512, "x", 64,
      "791c91ff44685987a5c01d2811eede6f3a28d65e43709953c295931afc4941251e3a5dccbacabaf01dd729589b1c4d47da93f6991c414f21188fb8449a2d1064"
    ),
    (
      .sha512, "x", 111,
      "9a2a120825c2319867758ec277924f6faa254968bf752046dacdd948d8ad299b10359fd04bfd7d3810b5fa1b16a294236138baff981cbb85248478053ac4d3dd"
    ),
    (
      .sha512, "x", 112,
      "a3722b515ef40c910f2419f6e0da8ca51d410114ce6272faae64045f9e9f630e7fa8dd5a3243c9860b899d148c3da4bc0f9e07454542604d030bb55531fe0d5b"
    ),
    (
      .sha512, "x", 128,
      "e2e22f8422b54b06e35c3ea30a383d1de7a8fbc27992923074103117020d8dd7024c3ecf7d6d1a15a6de5a75ff32fb486b9e8ced4c02ffe05822bf2cb734d0e0"
    ),
    (
      .sha512, "x", 1000,
      "ae13575c5d98bfa689617bb19f0f55efdd52b39397fd620bcd1fbc03fda979e6b69bfba24698176eafe766d31c48b70273b03198064323082e04cc4eb9126310"
    ),
  ])
  func `Digests match the test vectors`(
    hash: SecureHash,
    text: String,
    count: Int,
    digest: String
  ) {
    #expect(Hex.encode(hash.digest(Array(String(repeating: text, count: count).utf8))) == digest)
  }

  /// Test cases of RFC 4231 sections 4.3 and 4.7 (for SHA-1, RFC 2202).
  @Test(arguments: [
    (
      SecureHash.sha1,
      "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
      "90d0dace1c1bdc957339307803160335bde6df2b"
    ),
    (
      SecureHash.sha256,
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      SecureHash.sha384,
      "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
      "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952"
    ),
    (
      SecureHash.sha512,
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
      "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
    ),
  ])
  func `HMACs match the test vectors`(hash: SecureHash, short: String, long: String) {
    #expect(
      Hex.encode(hash.authenticate(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
        == short
    )
    let text = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
    #expect(Hex.encode(hash.authenticate(text, key: [UInt8](repeating: 0xAA, count: 131))) == long)
  }

  @Test(arguments: SecureHash.allCases)
  func `A signature is valid only for its body and secret`(hash: SecureHash) {
    let body = Array("<feed/>".utf8)
    let good = "\(hash.rawValue)=\(Hex.encode(hash.authenticate(body, key: Array("s".utf8))))"
    #expect(HubSignature.isValid(good, body: body, secret: "s"))
    #expect(HubSignature.isValid(good.uppercased(), body: body, secret: "s"))
    #expect(!HubSignature.isValid(good, body: body, secret: "t"))
    #expect(!HubSignature.isValid(good, body: body + [0x20], secret: "s"))
    #expect(!HubSignature.isValid(String(good.dropLast(2)), body: body, secret: "s"))
  }

  @Test(arguments: [nil, "", "sha256", "sha256=", "md5=00", "sha256=zz", "=", "sha256=0"])
  func `A malformed signature is invalid`(field: String?) {
    #expect(!HubSignature.isValid(field, body: [], secret: "s"))
  }
}
