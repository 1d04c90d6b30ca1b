/// All ports of a store.
public typealias StorePorts = ArrivalStoring & ArticleKeeping & ChangeReading & CredentialKeeping
  & DefinitionKeeping & FeedKeeping & HookKeeping & HubSubscriptionKeeping & ItemMarking & ItemReading
  & StoreExporting & StoreMaintaining
