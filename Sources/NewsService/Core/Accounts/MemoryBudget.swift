import Synchronization

/// The memory of a process for values of one kind, such as parsed feeds. All accounts share it.
///
/// How much a value takes is known once it is made, so it counts with an estimate before. A value that does not fit in the limit is
/// made beside it, one at a time: however large, each is made. The accounts take turns.
public final class MemoryBudget: Sendable {
  /// The memory of one value, which is free again once nothing refers to the claim.
  final class Claim: Sendable {
    private let memory: MemoryBudget
    private let number: Int

    fileprivate init(_ memory: MemoryBudget, _ number: Int) {
      self.memory = memory
      self.number = number
    }

    deinit { memory.change { $0.remove(number) } }

    /// Counts the bytes of the value, which is made, from now on, even if they do not fit. Beside the limit, it keeps others waiting
    /// until it is free, or for `patience`: what it is for may be slow, such as a store or the target of a hook.
    func made(_ bytes: Int) {
      memory.change { $0.resize(number, to: bytes) }
      guard let patience = memory.patienceNow(with: number) else { return }
      Task { [weak self] in
        try? await Task.sleep(for: patience)
        self?.giveUpTurn(isOverdue: true)
      }
    }

    /// Lets another value be made beside the limit, although the memory is not free: this one may be needed for long.
    func giveUpTurn(isOverdue: Bool = false) { memory.giveUpTurn(number, isOverdue: isOverdue) }
  }

  /// A loop or a task that asks for memory. It may wait in the line.
  final class Asker: Sendable {
    private let memory: MemoryBudget
    private let number: Int
    private let account: String
    private let wake: @Sendable () -> Void

    fileprivate init(_ memory: MemoryBudget, _ account: String, _ wake: @escaping @Sendable () -> Void) {
      self.memory = memory
      self.account = account
      self.wake = wake
      number = memory.state.withLock { $0.nextNumber() }
    }

    deinit { withdraw() }

    /// True if the memory is free, or the value may be made beside the limit.
    func mayTake(_ bytes: Int) -> Bool {
      memory.state.withLock { $0.mayTake(bytes, number, memory.limit) }
    }

    /// Takes memory. Returns nil if there is none. When some is freed, `wake` is called once. Others wait for this asker then, so it
    /// must ask again or withdraw.
    func take(_ bytes: Int) -> Claim? { memory.take(bytes, for: number, of: account, wake) }

    /// Takes memory even if there is none.
    func takeAnyway(_ bytes: Int) -> Claim { memory.takeAnyway(bytes) }

    /// Leaves the line.
    func withdraw() { memory.withdraw(number) }
  }

  private struct Waiting {
    let asker: Int
    let account: String
    /// Nil: it was called.
    var wake: (@Sendable () -> Void)?
  }

  private struct State {
    private var claims: [Int: Int] = [:]
    /// The bytes of all claims but `extra`.
    private(set) var taken = 0
    /// The claim beside the limit.
    private(set) var extra: Int?
    /// The claims that were beside the limit for the whole patience, and are not free yet.
    private(set) var overdue: Set<Int> = []
    private var waiting: [Waiting] = []
    private var lastNumber = 0
    /// The last claim of each account beside the limit.
    private var turns: [String: Int] = [:]

    /// The one whose turn it is: the first of the account that was beside the limit longest ago.
    private var next: Waiting? {
      waiting.min { turns[$0.account, default: 0] < turns[$1.account, default: 0] }
    }

    var waitingCount: Int { waiting.count }

    var total: Int { claims.values.reduce(0, +) }

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }

    func mayTake(_ bytes: Int, _ asker: Int, _ limit: Int) -> Bool {
      taken + bytes <= limit || extra == nil && (next.map { $0.asker == asker } ?? true)
    }

    mutating func add(_ bytes: Int, besideFor account: String? = nil) -> Int {
      let number = nextNumber()
      claims[number] = bytes
      if let account {
        extra = number
        turns[account] = number
      } else {
        taken += bytes
      }
      return number
    }

    mutating func wait(_ asker: Int, _ account: String, _ wake: @escaping @Sendable () -> Void) {
      if let place = waiting.firstIndex(where: { $0.asker == asker }) {
        waiting[place].wake = wake
      } else {
        waiting.append(Waiting(asker: asker, account: account, wake: wake))
      }
    }

    /// Returns true if the asker was in the line.
    mutating func leaveLine(_ asker: Int) -> Bool {
      guard let place = waiting.firstIndex(where: { $0.asker == asker }) else { return false }
      waiting.remove(at: place)
      return true
    }

    mutating func remove(_ number: Int) {
      let bytes = claims.removeValue(forKey: number) ?? 0
      overdue.remove(number)
      if extra == number { extra = nil } else { taken -= bytes }
    }

    mutating func resize(_ number: Int, to bytes: Int) {
      let former = claims.updateValue(bytes, forKey: number) ?? 0
      if extra != number { taken += bytes - former }
    }

    mutating func giveUpTurn(_ number: Int, isOverdue: Bool = false) {
      guard extra == number else { return }
      extra = nil
      if isOverdue { overdue.insert(number) }
      taken += claims[number] ?? 0
    }

    /// Counts the claim beside the limit with the others once it fits.
    mutating func settle(_ limit: Int) {
      if let extra, taken + (claims[extra] ?? 0) <= limit { giveUpTurn(extra) }
    }

    /// Takes the calls that tell those who wait to ask again.
    mutating func takeWakes() -> [@Sendable () -> Void] {
      let wakes = waiting.compactMap(\.wake)
      for place in waiting.indices { waiting[place].wake = nil }
      return wakes
    }
  }

  private let limit: Int
  private let patience: Duration
  private let patienceWhileOverdue: Duration
  private let state = Mutex(State())

  /// `limit` is in bytes. A value beside it has the second patience while one before it lasts longer than its turn: what keeps
  /// that one, such as the lock of a disk, may keep the values of many accounts, and all others would wait for each of them. Nil:
  /// the same.
  public init(limit: Int, patience: Duration = .seconds(10), whileOverdue: Duration? = nil) {
    self.limit = limit
    self.patience = patience
    patienceWhileOverdue = whileOverdue ?? patience
  }

  /// The bytes that are taken, with those beside the limit.
  var taken: Int { state.withLock { $0.total } }

  /// The number of those who wait.
  var waitingCount: Int { state.withLock { $0.waitingCount } }

  /// `wake` is called from any thread.
  func asker(of account: String, wake: @escaping @Sendable () -> Void) -> Asker { Asker(self, account, wake) }

  /// Waits for memory. Returns nil if the task is cancelled while it waits.
  func claim(_ bytes: Int, of account: String) async -> Claim? {
    let number = state.withLock { $0.nextNumber() }
    while true {
      let claim = await withTaskCancellationHandler {
        await withCheckedContinuation { (asked: CheckedContinuation<Claim?, Never>) in
          if let claim = take(bytes, for: number, of: account, { asked.resume(returning: nil) }) {
            asked.resume(returning: claim)
          } else if Task.isCancelled {
            // The handler may have run before the task was in the line.
            wakeAll()
          }
        }
      } onCancel: {
        wakeAll()
      }
      if let claim { return claim }
      guard !Task.isCancelled else {
        withdraw(number)
        return nil
      }
    }
  }

  /// Has all who wait ask again.
  private func wakeAll() { change { _ in } }

  private func take(
    _ bytes: Int,
    for asker: Int,
    of account: String,
    _ wake: @escaping @Sendable () -> Void
  ) -> Claim? {
    let (number, wakes) = state.withLock { state -> (Int?, [@Sendable () -> Void]) in
      guard state.mayTake(bytes, asker, limit) else {
        state.wait(asker, account, wake)
        return (nil, [])
      }
      let hasWaited = state.leaveLine(asker)
      let number = state.add(bytes, besideFor: state.taken + bytes > limit ? account : nil)
      // The next in the line may have been refused because it was not the first.
      return (number, hasWaited && state.extra == nil ? state.takeWakes() : [])
    }
    for wake in wakes { wake() }
    return number.map { Claim(self, $0) }
  }

  private func takeAnyway(_ bytes: Int) -> Claim {
    Claim(self, state.withLock { $0.add(bytes) })
  }

  private func withdraw(_ asker: Int) {
    let wakes = state.withLock { $0.leaveLine(asker) ? $0.takeWakes() : [] }
    for wake in wakes { wake() }
  }

  /// Wakes others only if there was a turn to give up: a loop whose store is down asks again when it is woken.
  private func giveUpTurn(_ number: Int, isOverdue: Bool) {
    guard state.withLock({ $0.extra == number }) else { return }
    change { $0.giveUpTurn(number, isOverdue: isOverdue) }
  }

  /// How long the claim may be beside the limit from now on; nil: it is not.
  private func patienceNow(with number: Int) -> Duration? {
    state.withLock { state in
      guard state.extra == number else { return nil }
      return state.overdue.isEmpty ? patience : patienceWhileOverdue
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let wakes = state.withLock { state -> [@Sendable () -> Void] in
      body(&state)
      state.settle(limit)
      return state.takeWakes()
    }
    for wake in wakes { wake() }
  }
}
