/// A type of sound or video that newsd passes on, read from the first bytes. What the server says is not trusted.
public enum RecordingType: String, Hashable, Sendable, CaseIterable {
  case mp3 = "audio/mpeg"
  case aac = "audio/aac"
  case ogg = "audio/ogg"
  case flac = "audio/flac"
  case wav = "audio/wav"
  case m4a = "audio/mp4"
  case mp4 = "video/mp4"
  case webm = "video/webm"

  /// Number of bytes from the start of a file that tell its type.
  public static let headLength = 64

  /// Returns nil if the bytes begin no file of a known type.
  public init?(_ head: [UInt8]) {
    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
      text.withUTF8Buffer { head.dropFirst(offset).starts(with: $0) }
    }
    if has("ID3") {
      self = .mp3
    } else if has("OggS") {
      self = .ogg
    } else if has("fLaC") {
      self = .flac
    } else if has("RIFF"), has("WAVE", at: 8) {
      self = .wav
    } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      // EBML, the container of WebM and Matroska.
      self = .webm
    } else if has("ftyp", at: 4) {
      self = has("M4A", at: 8) || has("M4B", at: 8) ? .m4a : .mp4
    } else if head.count > 2, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 {
      // ADTS: the sync word, and layer 0.
      self = .aac
    } else if head.count > 2, head[0] == 0xFF, head[1] & 0xE0 == 0xE0, head[1] & 0x06 != 0 {
      // MPEG audio: the sync word, and a layer other than 0.
      self = .mp3
    } else {
      return nil
    }
  }
}
