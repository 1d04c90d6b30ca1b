public import NewsCore

/// A query with an unknown name or an unreadable value. The message names the faulty word and suggests similar ones.
public typealias QueryError = CodedError<QueryErrorCode>

/// The kinds of faults of a query.
public enum QueryErrorCode: Hashable, Sendable {
  case unknownField, badDate, badRegex, badValue, tooComplex, unknownFeed
}
