/// Encodings that newsd can decode.
public enum KnownEncodings {
  /// True for the labels of the WHATWG encoding standard and the allowed names of iconv.
  public static func contains(_ name: String) -> Bool {
    guard let label = EncodingNames.normalized(name.utf8) else { return false }
    return EncodingProbe.text(of: [UInt8](), label: label) != nil
  }
}
