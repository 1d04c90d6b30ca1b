import NewsCore
package import NewsToolbox

/// Items of an export, in the order of ids, with their versions.
package struct ExportPage: Sendable {
  package var lines: [JSONValue] = []
  /// The id of the last item on the page; nil at the end of the items.
  package var last: Int64?

  package init() {}
}
