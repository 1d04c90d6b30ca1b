/// The style of recordings and of the player.
enum PlayerStyle {
  static let text: StaticString = """
    .content audio { max-width: 100%; }
    .recording { align-items: center; display: flex; flex-wrap: wrap; font-family: var(--sans); gap: .6rem 1.1rem; margin: 1rem 0; }
    .recording :is(audio, video) { flex: 1 1 100%; max-width: 100%; width: 100%; }
    .recording > .cover { aspect-ratio: 1; background: var(--line); border-radius: 8px; flex: none; object-fit: cover; width: min(160px, 28vw); }
    .recording:has(> video) > .cover { display: none; }
    .recording .what { align-items: center; display: flex; flex: 1 1 11rem; flex-wrap: wrap; gap: .5rem .9rem; min-width: 0; }
    .recording p { margin: 0; }
    .recording :is(.tools, .enqueue) { margin-inline: calc(-1 * var(--pad)); }
    .recording .enqueue { font-size: .9rem; }
    .recording .name { flex: 1 1 8rem; font-weight: 600; min-width: 0; overflow-wrap: anywhere; }
    .recording .name .quiet { font-variant-numeric: tabular-nums; font-weight: 400; }
    .recording .play { background: var(--accent); border-color: var(--accent); border-radius: 99px; color: var(--paper); font-size: 1.1rem; font-weight: 600; padding: .6rem 1.5rem; }
    .recording .play::before { content: "\\25b6  " / ""; }
    .recording .play.on::before { border: solid; border-width: 0 .25rem; content: ""; display: inline-block; height: .85rem; margin-inline-end: .6rem; width: .25rem; }
    .recording .play:hover { color: var(--paper); }
    #player { align-items: center; background: var(--paper); border-top: 1px solid var(--line); bottom: var(--bar); display: flex;
      flex-wrap: wrap; font-family: var(--sans); font-size: .85rem; gap: .4rem .8rem; inset-inline: 0; padding: .5rem .8rem;
      position: fixed; z-index: 3; }
    #player .cover { border-radius: 4px; height: 2.6rem; object-fit: cover; width: 2.6rem; }
    #player [hidden], #player video:not(.seen) { display: none; }
    #player video { max-height: 9rem; }
    .recording video.seen { background: #000; margin-block-end: .5rem; max-height: 75vh; }
    #player details { position: relative; }
    #player details ol { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; inset-block-end: 2.2rem; inset-inline-end: 0;
      list-style: none; margin: 0; max-height: 50vh; overflow-y: auto; padding: .5rem; position: absolute; width: min(24rem, 90vw); }
    #player li { display: flex; gap: .3rem; }
    #player li button:first-child { flex: 1; overflow: hidden; text-align: start; text-overflow: ellipsis; white-space: nowrap; }
    #player .what { display: flex; flex: 1 1 12rem; flex-direction: column; min-width: 0; }
    #player .what > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    #player .controls { flex: 3 1 24rem; margin: 0; }
    #player .controls button { justify-content: center; min-width: 2.1rem; }
    #player :is(.play, .next)::before { border: solid transparent; border-left-color: currentColor; border-width: .45rem 0 .45rem .75rem; content: ""; }
    #player .play.on::before { border-color: currentColor; border-width: 0 .25rem; height: .9rem; width: .25rem; }
    #player .next { direction: ltr; gap: 0; }
    #player .next::after { border-left: .2rem solid; content: ""; height: .9rem; }
    #player [type=range] { flex: 1 1 8rem; min-width: 5rem; }
    #player select { max-width: 11rem; }
    #player .time { font-variant-numeric: tabular-nums; white-space: nowrap; }
    body.plays { padding-bottom: calc(var(--bar) + var(--player)); }
    @media (max-width: 47.49rem) {
      #player { gap: .1rem .5rem; padding-block: .2rem; }
      #player :is(.cover, .what > .quiet:not([role]), label) { display: none; }
      #player .controls { display: contents; }
      #player .controls > * { order: 3; }
      #player [type=range] { flex-basis: 3rem; min-width: 3rem; }
      #player .what { flex-basis: calc(100% - 10rem); }
      #player :is(.rate, .close) { order: 1; }
      #player .controls :is(button, summary) { min-height: 44px; min-width: 44px; }
    }
    """
}
