/// The style of recordings and of the player.
enum PlayerStyle {
  static let text: StaticString = """
    .content audio { max-width: 100%; }
    .recording { font-family: var(--sans); margin: 1rem 0; }
    .recording :is(audio, video) { display: block; max-width: 100%; width: 100%; }
    .recording :is(audio, video)[hidden] { display: none; }
    .recording button { margin-inline-end: .5rem; }
    #player { align-items: center; background: var(--paper); border-top: 1px solid var(--line); bottom: 0; display: flex;
      flex-wrap: wrap; font-family: var(--sans); font-size: .85rem; gap: .4rem .8rem; inset-inline: 0; padding: .5rem .8rem;
      position: fixed; z-index: 20; }
    #player .cover { border-radius: 4px; height: 2.6rem; object-fit: cover; width: 2.6rem; }
    #player [hidden], #player video:not(.seen) { display: none; }
    #player video { max-height: 9rem; }
    #player .what { display: flex; flex: 1 1 12rem; flex-direction: column; min-width: 0; }
    #player .what > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    #player .controls { align-items: center; display: flex; flex: 3 1 24rem; flex-wrap: wrap; gap: .3rem .5rem; }
    #player .controls button { min-height: 2.2rem; min-width: 2.2rem; }
    #player [type=range] { flex: 1 1 8rem; min-width: 5rem; }
    #player select { max-width: 11rem; }
    #player .time { font-variant-numeric: tabular-nums; white-space: nowrap; }
    body.plays { padding-bottom: 9rem; }
    """
}
