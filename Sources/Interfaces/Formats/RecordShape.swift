public import Modules
public import NewsText

/// The output format for records, with its options.
public struct RecordShape: Sendable {
  public var format: OutputFormat
  /// Machine names of columns; nil: the format's default.
  public var fields: [String]?
  /// True: print a line of column names before TSV and CSV; nil: the format's default.
  public var header: Bool?
  /// Text of the template, for the template format.
  public var template: String?
  public var terminal: Terminal

  public init(
    format: OutputFormat,
    fields: [String]? = nil,
    header: Bool? = nil,
    template: String? = nil,
    terminal: Terminal
  ) {
    self.format = format
    self.fields = fields
    self.header = header
    self.template = template
    self.terminal = terminal
  }

  /// The view of the format; `text` is the view for text.
  private func view<Field: RecordField, Content: RecordContent<Field.Record>>(
    _ field: Field.Type,
    text: any ContentView<Content>
  ) throws(UserMessage) -> any ContentView<Content> {
    let encoder = try RecordOutput<Field>(
      format: OutputFormat(named: format.rawValue, among: OutputFormat.forRecords),
      fields: fields,
      header: header,
      template: template,
      terminal: terminal
    ).makeEncoder()
    return encoder.map { DocumentView($0) } ?? text
  }

  /// The view of the format; text has one line for each record.
  private func list<Field: RecordField, Content: RecordListContent>(
    _ field: Field.Type
  ) throws(UserMessage) -> any ContentView<Content> where Content.Record == Field.Record {
    try view(field, text: RecordTextView<Content>(terminal: terminal))
  }
}

/// Views of the modules whose format the user can choose. All throw a usage error for a format that records do not
/// support, an unknown column, or a syntax error in the template.
extension RecordShape {
  public func rules() throws(UserMessage) -> any ContentView<RulesViewModel> { try list(RuleField.self) }

  public func hooks() throws(UserMessage) -> any ContentView<HooksViewModel> { try list(HookField.self) }

  public func nodes() throws(UserMessage) -> any ContentView<NodesViewModel> { try list(NodeField.self) }

  public func hookFailures() throws(UserMessage) -> any ContentView<HookFailuresViewModel> {
    try list(HookFailureField.self)
  }

  public func savedSearches() throws(UserMessage) -> any ContentView<SavedSearchesViewModel> {
    try list(SavedSearchField.self)
  }

  public func searchHistory() throws(UserMessage) -> any ContentView<SearchHistoryViewModel> {
    try list(SearchHistoryField.self)
  }

  public func versions() throws(UserMessage) -> any ContentView<ItemVersionsViewModel> {
    try list(VersionField.self)
  }

  public func folders() throws(UserMessage) -> any ContentView<FoldersViewModel> {
    try list(FolderField.self)
  }

  public func moves() throws(UserMessage) -> any ContentView<MovesViewModel> { try list(MoveField.self) }

  public func webApps() throws(UserMessage) -> any ContentView<WebAppsViewModel> {
    try list(AppPasswordField.self)
  }

  public func webSessions() throws(UserMessage) -> any ContentView<WebSessionsViewModel> {
    try list(WebSessionField.self)
  }

  public func webStatus() throws(UserMessage) -> any ContentView<WebStatusViewModel> {
    try list(WebStatusField.self)
  }

  public func prune() throws(UserMessage) -> any ContentView<PruneViewModel> { try list(PruneField.self) }

  public func check() throws(UserMessage) -> any ContentView<CheckViewModel> { try list(ProblemField.self) }

  public func plan() throws(UserMessage) -> any ContentView<PollPlanViewModel> { try list(PlanField.self) }

  public func failures() throws(UserMessage) -> any ContentView<FailuresViewModel> {
    try list(FailureField.self)
  }

  public func status() throws(UserMessage) -> any ContentView<StatusViewModel> {
    try view(StatusField.self, text: StatusView(terminal: terminal))
  }

  public func health() throws(UserMessage) -> any ContentView<HealthViewModel> {
    if format == .prometheus { return HealthMetricsView() }
    return try view(HealthField.self, text: LinesView<HealthViewModel>())
  }

  public func chart() throws(UserMessage) -> any ContentView<NewsListChartViewModel> {
    try view(NewsListChartField.self, text: NewsListChartView(terminal: terminal))
  }

  public func changes() throws(UserMessage) -> any ContentView<ChangesViewModel> {
    try view(ChangeField.self, text: ChangesView(terminal: terminal))
  }
}
