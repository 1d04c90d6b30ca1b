package import NewsToolbox

/// The threads on which the stores of accounts are read. On the threads of all tasks, long statements of SQLite would delay the
/// polls of the other accounts, and the end of the process.
private let readingThreads = TaskThreads(8)

/// Makes the turns in which the store of an account is read: two of the threads at most.
package func makeReadingTurns() -> TaskTurns { TaskTurns(readingThreads, most: 2) }
