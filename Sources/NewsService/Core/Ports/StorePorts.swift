/// All ports of a store.
public typealias StorePorts = ArrivalStoring & ArticleKeeping & ChangeReading & CredentialKeeping
  & DefinitionKeeping & EnclosureKeeping & FeedKeeping & HookKeeping & HubSubscriptionKeeping & IconNaming
  & ImportPlaceKeeping
  & ItemMarking & ItemReading & StoreExporting & StoreMaintaining
