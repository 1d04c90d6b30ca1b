/// Where the list of folders leads.
public struct FoldersRouter: Sendable {
  public init() {}

  /// To the items of a folder and those below it; nil for the feeds without a folder.
  public func list(_ folder: FolderSummary) -> Route? {
    folder.name.map { Route.list(ListRoute(filter: ItemFilter(folders: [$0]))) }
  }
}
