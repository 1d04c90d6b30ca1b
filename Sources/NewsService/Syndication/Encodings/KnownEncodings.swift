/// Which names of encodings documents can be read by.
public enum KnownEncodings {
  /// True for every label of the Encoding standard and every name that the system's converter knows.
  public static func contains(_ name: String) -> Bool {
    guard let label = EncodingNames.normalized(name.utf8) else { return false }
    return EncodingProbe.text(of: [UInt8](), label: label) != nil
  }
}
