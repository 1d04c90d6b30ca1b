/// All ports of a store.
public typealias StorePorts = ArrivalStoring & ArticleKeeping & ChangeReading & CredentialKeeping
  & DefinitionKeeping & EnclosureKeeping & FeedCounting & FeedKeeping & HookKeeping & HubSubscriptionKeeping
  & IconNaming & ImportPlaceKeeping
  & ItemMarking & ItemReading & PageChoiceKeeping & PageHookKeeping & QuotaKeeping & StoreExporting
  & StoreMaintaining
