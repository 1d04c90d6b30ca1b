/// The part of the script for the search: matches and suggestions while one types, and the list of everything with the
/// commands (Ctrl-K).
enum SearchScript {
  static let text: StaticString = #"""
    // A list box of links below a field. `ask(text)` resolves to its options; `take(text)` is called for Enter without a
    // choice.
    const choices = (field, box, ask, take, picks = false) => {
      let at = -1, asked = 0, timer;
      const options = () => all('[role=option]', box);
      const choose = index => {
        const list = options();
        at = list.length ? (index + list.length + 1) % (list.length + 1) : -1;
        if (at === list.length) at = -1;
        list.forEach((option, i) => { option.setAttribute('aria-selected', String(i === at)); option.id = `${box.id}-${i}`; });
        if (at < 0) return field.removeAttribute('aria-activedescendant');
        field.setAttribute('aria-activedescendant', list[at].id);
        list[at].scrollIntoView({ block: 'nearest', behavior: 'instant' });
      };
      const hide = () => { box.hidden = true; field.setAttribute('aria-expanded', 'false'); choose(-1); };
      const refill = async () => {
        const mine = ++asked;
        const found = await ask(field.value).catch(() => []);
        if (mine !== asked) return;
        box.replaceChildren(...found);
        box.hidden = !options().length;
        field.setAttribute('aria-expanded', String(!box.hidden));
        choose(picks ? 0 : -1);
      };
      const attributes = { role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': box.id, 'aria-expanded': 'false' };
      for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
      field.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(refill, 120); });
      field.addEventListener('keydown', event => {
        if (event.isComposing) return;
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (by && !box.hidden) {
          event.preventDefault();
          choose(at < 0 && by < 0 ? options().length - 1 : at + by);
        } else if (event.key === 'Enter') {
          const option = options()[at];
          clearTimeout(timer);
          asked += 1;
          if (option) { event.preventDefault(); option.click(); } else take(field.value, event);
          hide();
        } else if (event.key === 'Escape') {
          asked += 1;
          const dialog = field.closest('dialog');
          if (dialog) { event.preventDefault(); dialog.close(); } else if (box.hidden) field.blur(); else { event.preventDefault(); hide(); }
        }
      });
      field.addEventListener('blur', () => setTimeout(() => { if (!box.contains(document.activeElement)) { asked += 1; hide(); } }, 150));
      box.addEventListener('mousedown', event => event.preventDefault());
      return refill;
    };
    const suggestions = async text => {
      const answer = await fetch(`${base}/suggestions?q=${encodeURIComponent(text)}`, { headers: { Accept: 'text/html' } });
      if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
      return nodes(await answer.text());
    };
    const keepSearch = text => { if (text.trim()) send(`${base}/searches/recent`, [['q', text]]).catch(() => {}); };
    const searchPath = text => `${base}/search?q=${encodeURIComponent(text)}`;

    // Shows the matches for a typed text in place of the list.
    let seeking = 0, unsearched = null;
    const seek = async text => {
      if (!reader) return;
      const isFurther = listPath && listPath.startsWith(base + '/search') && location.pathname === base + '/search';
      if (!isFurther && !text.trim()) return;
      if (!isFurther) unsearched = listPath;
      // Without a text, the list from before is shown again.
      const mine = ++seeking, path = text.trim() ? searchPath(text) : unsearched || base + '/unread';
      let found;
      try { found = await part(path, 'list', true); } catch (error) {
        const isAway = error instanceof TypeError;
        if (isAway) setAway(true);
        if (mine === seeking) say(isAway ? texts.noAnswer : error.message);
        return;
      }
      if (mine !== seeking) return;
      if (isReading()) close(false); else stay();
      turnTo(path, found, isFurther ? 'replaceState' : 'pushState');
      if (!hasPanes.matches) scrollTo({ top: 0, behavior: 'instant' });
    };
    const search = () => {
      const field = one('#q');
      if (!field || !data.events) return;
      const box = make('div', { className: 'options', id: 'suggested', hidden: true, ariaLabel: texts.suggestions, role: 'listbox' });
      field.after(box);
      let timer;
      const refill = choices(field, box, suggestions, (text, event) => {
        if (!one('#list .failure')) keepSearch(text);
        clearTimeout(timer);
        // The matches are there already: beside them the first one is opened, on phones it becomes the current one.
        if (listPath !== searchPath(text) || !items().length) return;
        event.preventDefault();
        if (hasPanes.matches) open(items()[0].dataset.id); else select(items()[0]);
      });
      field.addEventListener('focus', () => { if (!field.value) refill(); });
      field.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(() => seek(field.value), 200); });
    };

    // Everything by name: commands, feeds, folders, labels and searches.
    const post = (path, fields = {}) => {
      const form = make('form', { method: 'post', action: base + path, hidden: true });
      const values = { csrf: data.csrf, from: location.pathname.slice(base.length) + location.search, ...fields };
      for (const [name, value] of Object.entries(values)) form.append(make('input', { type: 'hidden', name, value }));
      document.body.append(form);
      form.requestSubmit();
    };
    // Chooses the colours for this browser; the form of the settings has the other choices, too.
    const colour = async theme => {
      const root = document.documentElement, choices = new URLSearchParams({ ...root.dataset, theme });
      if (usesKeys) choices.set('keys', 'on');
      if (await sendAway(base + '/settings', choices)) root.dataset.theme = theme;
    };
    const commands = () => [
      [texts.addAFeed, () => adding()], [texts.refreshAll, () => refresh(false)],
      [texts.markList, one('button[data-all]') && (() => submit('button[data-all]'))],
      [texts.markPage, one('#mark-page') && (() => actions.A())],
      [texts.undoLast, undos.length > 0 && undo],
      [texts.showWhole, one('#reading button[data-whole]') && (() => submit('#reading button[data-whole]'))],
      [texts.saveItem, one('#reading button[data-save]') && (() => submit('#reading button[data-save]'))],
      [texts.starItem, current() && (() => press('button.star'))],
      [texts.labelItem, article() && (() => actions.L())], [texts.less, current() && (() => actions.l())],
      [texts.nextFeed, nextEntry() && move],
      // Unread only, oldest first and the like.
      ...all('#list .tools a:not([href$="/settings"])').map(link => [link.textContent, () => link.click()]),
      [texts.goToUnread, () => go('/unread')], [texts.goToStarred, () => go('/starred')], [texts.goToAll, () => go('/all')],
      [texts.goToFeeds, () => go('/feeds')], [texts.failing, () => go('/feeds?show=failing')],
      [texts.searches, () => go('/searches')], [texts.rules, () => go('/rules')], [texts.settings, () => go('/settings')],
      [texts.unsubscribe, feedHere() && (() => actions.D())],
      [texts.renameFeed, feedHere() && (() => feedMenu(at => one('[name=title]', at).select()))],
      [texts.feedSettings, feedHere() && (() => go(`/feed/${Number(feedHere())}/settings`))],
      [texts.appearance, () => go('/settings#appearance')], [texts.statistics, () => go('/statistics')],
      [texts.importLists, () => go('/feeds#import')], [texts.hooks, () => go('/settings#hooks')], [texts.backup, () => go('/settings#backup')],
      [texts.access, () => go('/access')], [texts.keys, () => help()],
      [texts.asTheBrowser, () => colour('auto')], [texts.light, () => colour('light')], [texts.sepia, () => colour('sepia')],
      [texts.dark, () => colour('dark')], [texts.black, () => colour('black')], [texts.logOut, () => post('/logout')]
    ];
    const palette = () => {
      if (one('dialog[open]')) return;
      const box = make('div', { className: 'options', id: 'found', hidden: true, ariaLabel: texts.found, role: 'listbox' });
      const field = make('input', { type: 'search', autocomplete: 'off', ariaLabel: texts.find, placeholder: texts.findHint });
      const dialog = make('dialog', { id: 'palette', ariaLabel: texts.findEverything }, field, box);
      const ask = async text => {
        const wanted = text.trim().toLowerCase();
        const fitting = commands().filter(([name, act]) => act && name.toLowerCase().includes(wanted)).slice(0, wanted ? 8 : 20);
        const options = fitting.map(([name, act]) => onClick(
          make('a', { href: '#', tabIndex: -1, role: 'option' }, make('span', { textContent: name }), make('span', { className: 'quiet', textContent: ` ${texts.command}` })),
          event => { event.preventDefault(); dialog.close(); act(); }));
        if (!wanted) return options;
        const everywhere = make('a', { href: searchPath(text.trim()), tabIndex: -1, role: 'option' }, make('span', { textContent: fill(texts.searchFor, { text: text.trim() }) }));
        return [...options, ...await suggestions(text).catch(() => []), onClick(everywhere, () => keepSearch(text))];
      };
      const refill = choices(field, box, ask, (text, event) => {
        event.preventDefault();
        if (!text.trim()) return;
        keepSearch(text);
        location.href = searchPath(text);
      }, true);
      popUp(dialog, true);
      refill();
    };
    """#
}
