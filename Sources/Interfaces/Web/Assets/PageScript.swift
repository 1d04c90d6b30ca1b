/// The script of the page. Every page works without it; it adds keys, marks without a reload, articles beside their
/// list, and live counts.
///
/// It sends the page's own forms and follows its links, and makes markup only from parts of the page's own documents,
/// never from the text of feeds. All parts are one function: names of one part are known to the others.
enum PageScript {
  /// Helpers, marks and what undoes them.
  static let marks: StaticString = #"""
    const one = (s, from = document) => from.querySelector(s);
    const all = (s, from = document) => [...from.querySelectorAll(s)];
    const data = document.body.dataset, base = data.base, usesKeys = data.keys !== 'off';
    const reader = one('main.reader'), list = one('#list'), reading = one('#reading');
    const items = () => all('#items article[data-id]');
    const row = () => one('#items article[aria-current]');
    const article = () => one('#reading article.item[data-id]');
    const isReading = () => document.body.classList.contains('reads');
    const current = () => isReading() ? article() : row();
    const safely = (store, act) => { try { return act(store()); } catch { return null; } };
    const session = () => sessionStorage, local = () => localStorage;
    const get = (store, name) => safely(store, s => JSON.parse(s.getItem(name)));
    const set = (store, name, value) => safely(store, s => s.setItem(name, JSON.stringify(value)));
    const make = (name, values = {}, ...content) => {
      const element = Object.assign(document.createElement(name), values);
      element.append(...content);
      return element;
    };
    const say = text => { const place = one('#status'); if (place) place.textContent = text; };
    const fail = what => error =>
      say(what + ': ' + (error instanceof TypeError ? 'newsd does not answer.' : error.message));
    const go = path => { location.href = base + path; };
    const follow = selector => { const link = one(selector); if (link) link.click(); };

    // `keeps`: marks wait while newsd does not answer. `isAway`: newsd did not answer last.
    const keeps = 'serviceWorker' in navigator && data.account, waiting = new Map();
    let isAway = false;
    const send = async (address, fields) => {
      const body = new URLSearchParams(fields);
      // A kept article has the token of the session in which it was kept.
      body.set('csrf', data.csrf);
      let answer;
      try {
        answer = await fetch(address, { method: 'POST', headers: { Accept: 'application/json' }, body });
        if ([502, 503, 504].includes(answer.status) && !answer.headers.has('Newsd-Account')) throw new TypeError();
      } catch (error) {
        setAway(true);
        throw error;
      }
      setAway(false);
      if (!answer.ok) throw new Error(answer.status === 403 ? 'Log in again.' : `newsd answered ${answer.status}.`);
      return answer.json();
    };
    const label = (button, value, text) => {
      button.value = value;
      button.title = text;
      one('span', button).textContent = text;
    };
    const show = state => {
      for (const at of all(`article[data-id='${Number(state.id)}']`)) {
        const wasUnread = at.classList.contains('unread');
        const seen = one('button.seen', at), star = one('button.star', at), page = one('input[name=id]', at);
        if ('read' in state) {
          at.classList.toggle('unread', !state.read);
          if (seen) label(seen, state.read ? 'unread' : 'read', state.read ? 'Mark unread' : 'Mark read');
          if (page) page.disabled = state.read;
          if (wasUnread === state.read && (at.closest('#items') || !one(`#items article[data-id='${Number(state.id)}']`))) {
            countFeed(at.dataset.feed, state.read ? -1 : 1);
          }
        }
        if ('starred' in state) {
          at.classList.toggle('starred', state.starred);
          if (star) label(star, state.starred ? 'unstarred' : 'starred', state.starred ? 'Unstar' : 'Star');
        }
      }
    };
    // Counts of the feed and of the folders above it.
    const countFeed = (feed, by) => {
      const link = one(`aside a[data-feed='${Number(feed)}']`);
      for (let entry = link && link.closest('li'); entry; entry = entry.parentElement.closest('aside li')) {
        const place = one(':scope > a .count, :scope > .entry > a .count', entry);
        if (place) place.textContent = Math.max(0, Number(place.textContent) + by) || '';
      }
    };
    const count = number => {
      for (const place of all('[data-unread]')) place.textContent = number > 0 ? String(number) : '';
      entitle();
    };
    const entitle = () => {
      const unread = one('[data-unread]'), number = unread && unread.textContent;
      const plain = document.title.replace(/^\(\d+\) /, '');
      document.title = number ? `(${number}) ${plain}` : plain;
    };

    // What the browser keeps of one account is not for the next one.
    for (const [store, key] of data.account ? [[session, 'undos'], [local, 'newsd-queue']] : [])
      if (get(store, key + '-of') !== data.account) {
        safely(store, s => s.removeItem(key));
        set(store, key + '-of', data.account);
      }

    // Marks that can be undone, the last one at the end: the ids and the mark that restores them.
    const undos = get(session, 'undos') || [];
    const opposite = { read: 'unread', unread: 'read', starred: 'unstarred', unstarred: 'starred' };
    const bar = make('div', { id: 'undo', className: 'note', hidden: true },
      make('p'), make('button', { type: 'button', textContent: 'Undo' }));
    bar.setAttribute('role', 'status');
    document.body.append(bar);
    one('button', bar).addEventListener('click', () => undo());
    let barTimer;
    const tell = (ids, mark) => {
      one('p', bar).textContent = `${ids.length === 1 ? '1 item' : ids.length + ' items'} marked ${mark}.`;
      bar.hidden = false;
      clearTimeout(barTimer);
      barTimer = setTimeout(() => { bar.hidden = true; }, 6000);
    };
    const remember = (ids, mark) => {
      if (!ids.length) return;
      undos.push({ ids, mark: opposite[mark] });
      undos.splice(0, undos.length - 100);
      set(session, 'undos', undos);
      tell(ids, mark);
    };
    const mark = async (ids, as) => {
      let answer;
      try {
        answer = await send(base + '/marks', [['as', as], ...ids.map(id => ['id', id])]);
      } catch (error) {
        if (!keeps || !(error instanceof TypeError)) throw error;
        answer = await wait(ids, as);
      }
      for (const id of new Set([...ids, ...answer.ids].map(Number))) {
        show(as.endsWith('starred') ? { id, starred: as === 'starred' } : { id, read: as === 'read' });
      }
      count(answer.unread);
      return answer.ids;
    };
    const undo = () => {
      const last = undos.pop();
      set(session, 'undos', undos);
      if (!last) return say('There is nothing left to undo.');
      mark(last.ids, last.mark).then(ids => {
        bar.hidden = true;
        say(`${ids.length === 1 ? '1 item' : ids.length + ' items'} marked ${last.mark} again.`);
      }).catch(fail('Not undone'));
    };
    const markRead = at => {
      if (!at || !at.classList.contains('unread')) return;
      mark([at.dataset.id], 'read').then(ids => remember(ids.map(String), 'read')).catch(fail('Not marked'));
    };

    // Rows lose pictures that cannot be loaded.
    document.addEventListener('error', event => {
      const link = event.target.closest && event.target.closest('.thumb');
      if (link) link.remove();
    }, true);

    // The buttons of rows and articles are sent in the background; the answer has the item's present marks.
    document.addEventListener('submit', event => {
      const button = event.submitter;
      if (!button || !button.classList.contains('toggle')) return;
      event.preventDefault();
      const as = button.value;
      mark([button.closest('article').dataset.id], as).then(ids => {
        undos.push({ ids: ids.map(String), mark: opposite[as] });
        set(session, 'undos', undos);
      }).catch(fail('Not marked'));
    });
    """#

  /// Keys, and updates from the server.
  static let keys: StaticString = #"""
    const press = selector => {
      const at = current(), button = at && one(selector, at);
      if (button) button.form.requestSubmit(button);
    };
    const help = () => { const box = one('#help'); if (box && !box.open) box.showModal(); };
    const submit = selector => { const button = one(selector); if (button) button.form.requestSubmit(button); };
    const actions = {
      j: () => step(1), k: () => step(-1), n: () => step(1, true), ' ': event => page(event.shiftKey),
      o: () => { const at = row(); if (at && !isReading()) follow(`#items article[data-id='${at.dataset.id}'] h2 a`); },
      v: () => { const at = current(), link = at && one('a[data-original]', at); if (link) link.click(); },
      m: () => press('button.seen'), s: () => press('button.star'), f: () => press('button.star'),
      w: () => submit('#reading button[data-whole]'), z: () => undo(),
      L: () => { const box = one('.labels input[name=add]'); if (box) box.focus(); }, W: () => submit('#reading button[data-save]'),
      A: () => { const form = one('#mark-page'); if (form) form.requestSubmit(); }, M: () => submit('button[data-all]'),
      a: () => adding(), u: () => back(),
      r: () => { const form = one('#refresh'); if (form) form.requestSubmit(); },
      '/': () => { const box = one('#q'); if (box) { box.focus(); box.select(); } },
      '?': help,
      Escape: () => { document.body.classList.remove('tree'); return true; }
    };
    const places = { u: '/unread', s: '/starred', a: '/all', f: '/feeds' };
    let waitsForPlace = 0;
    document.addEventListener('keydown', event => {
      const at = event.target;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key === 'k' && data.events) {
        event.preventDefault();
        return palette();
      }
      if (!usesKeys || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (at.closest('input, select, textarea, dialog, [contenteditable]')) {
        return;
      }
      if (event.key === ' ' && at.closest('button, summary')) return;
      if (waitsForPlace > Date.now() && places[event.key]) {
        event.preventDefault();
        return go(places[event.key]);
      }
      waitsForPlace = event.key === 'g' ? Date.now() + 1500 : 0;
      const action = actions[event.key];
      if (action && action(event) !== true) event.preventDefault();
    });
    for (const link of all('a[data-help]')) {
      link.addEventListener('click', event => { if (one('#help')) { event.preventDefault(); help(); } });
    }

    if (data.events && window.EventSource) {
      const events = new EventSource(base + '/events');
      events.addEventListener('open', () => setAway(false));
      events.addEventListener('marks', event => { for (const state of JSON.parse(event.data)) show(state); });
      events.addEventListener('unread', event => count(Number(event.data)));
      // The table of feeds is fetched anew, unless something is chosen or opened in it.
      let renewal;
      const renew = () => {
        if (!one('#feed-rows') || renewal) return;
        renewal = setTimeout(async () => {
          renewal = null;
          if (one('#feed-rows input:checked, #feed-rows details[open]')) return;
          try {
            const rows = nodes(await part(location.href, 'rows')).find(node => node.id === 'feed-rows');
            if (rows) { one('#feed-rows').replaceWith(rows); localize(rows); }
          } catch { /* The next event tries again. */ }
        }, 1000);
      };
      events.addEventListener('arrived', event => {
        renew();
        const place = one('#arrived');
        if (!place) return;
        const number = Number(place.dataset.count || 0) + Number(event.data);
        place.dataset.count = number;
        one('a', place).textContent = number === 1 ? 'Show 1 new item' : `Show ${number} new items`;
        place.hidden = false;
      });
      events.addEventListener('refresh', event => {
        const state = JSON.parse(event.data), place = one('#refreshing');
        if (!place) return;
        place.hidden = !state.text;
        place.classList.toggle('failure', !!state.failed);
        one('p', place).textContent = state.text;
        one('[data-failed]', place).hidden = !state.failed;
        if (!state.running) renew();
        const meter = one('progress', place);
        meter.hidden = !state.running;
        meter.max = state.total || 1;
        meter.value = state.done || 0;
      });
      events.addEventListener('import', event => {
        const state = JSON.parse(event.data), place = one('#importing'), meter = place && one('progress[data-live]', place);
        // The end has other buttons, which the page knows.
        if (meter && !state.running) return location.replace(base + '/import');
        if (meter) one('p', place).textContent = state.text;
      });
      addEventListener('pagehide', () => events.close());
    }
    search();
    start();
    beginKeeping();
    """#
}
