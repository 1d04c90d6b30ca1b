import Testing

@testable import NewsCore

@Suite struct `Limit of concurrent transfers` {
  private let start = ContinuousClock.now

  /// The window after `looks` adaptations with the same values.
  private func window(looks: Int, held: Int, slow: Int = 0, from window: ConcurrencyWindow? = nil)
    -> ConcurrencyWindow
  {
    let isFurther = window != nil
    var window = window ?? ConcurrencyWindow(maximum: 256, heldLimit: 1 << 20)
    for look in 0..<looks {
      let now = (isFurther ? start + .seconds(60) : start) + ConcurrencyWindow.pace * look
      #expect(window.isDue(now))
      window.adapt(held: held, transfers: window.size, slow: slow, now: now)
      #expect(!window.isDue(now))
    }
    return window
  }

  @Test func `The limit grows while few bytes wait for the parser, and halves when many wait`() {
    #expect(window(looks: 1, held: 0).size == 32)
    #expect(window(looks: 3, held: 0).size == 96)
    let open = window(looks: 20, held: 0)
    #expect(open.size == 256)
    #expect(window(looks: 1, held: 900_000, from: open).size == 128)
    #expect(window(looks: 9, held: 900_000, from: open).size == 32)
    #expect(window(looks: 3, held: 400_000).size == 32)
  }

  @Test func `Expected bodies count as memory in use, and slow transfers have a limit of their own`() {
    var window = window(looks: 20, held: 0)
    for _ in 0..<200 { window.note(100_000) }
    #expect(window.admits(transfers: 7, held: 1_000_000))
    #expect(window.admits(transfers: 8, held: 100_000))
    #expect(!window.admits(transfers: 12, held: 0))
    #expect(!window.admits(transfers: 1, held: 1 << 20))
    window = self.window(looks: 1, held: 0, slow: 200, from: window)
    #expect(window.admits(transfers: 204, held: 0))
    for _ in 0..<400 { window.note(0) }
    #expect(window.admits(transfers: 455, held: 0))
    #expect(!window.admits(transfers: 456, held: 0))
    // The number of slow transfers is limited too.
    window = self.window(looks: 20, held: 0, slow: 2000)
    #expect(!window.admits(transfers: 4 * 256, held: 0))
  }
}
