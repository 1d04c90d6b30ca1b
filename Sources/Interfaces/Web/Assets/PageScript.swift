/// The script of the page. Every page works without it; it adds keys, marks without a reload, and live counts.
///
/// It sends the page's own forms and follows its links, and never makes markup from the text of feeds.
enum PageScript {
  static let text: StaticString = """
    'use strict';
    (() => {
      const one = (s, from = document) => from.querySelector(s);
      const all = (s, from = document) => [...from.querySelectorAll(s)];
      const base = document.body.dataset.base, usesKeys = document.body.dataset.keys !== 'off';
      const items = () => all('#items article[data-id]');
      const current = () => one('#items article[aria-current]') || one('main article.item[data-id]');
      const store = {
        get: name => { try { return JSON.parse(sessionStorage.getItem(name)); } catch { return null; } },
        set: (name, value) => { try { sessionStorage.setItem(name, JSON.stringify(value)); } catch { } }
      };
      const say = text => { const place = one('#status'); if (place) place.textContent = text; };

      // The rows' forms are sent in the background; the answer contains the item's present marks.
      const show = state => {
        for (const row of all(`article[data-id='${Number(state.id)}']`)) {
          row.classList.toggle('unread', !state.read);
          row.classList.toggle('starred', state.starred);
          const seen = one('button.seen', row), star = one('button.star', row), page = one('input[name=id]', row);
          if (seen) label(seen, state.read ? 'unread' : 'read', state.read ? 'Mark unread' : 'Mark read');
          if (star) label(star, state.starred ? 'unstarred' : 'starred', state.starred ? 'Unstar' : 'Star');
          if (page) page.disabled = state.read;
        }
      };
      const label = (button, value, text) => {
        button.value = value;
        button.title = text;
        one('span', button).textContent = text;
      };
      const count = number => {
        for (const place of all('[data-unread]')) place.textContent = number > 0 ? String(number) : '';
      };
      const post = async (button) => {
        const form = button.form, data = new FormData(form);
        data.set(button.name, button.value);
        const answer = await fetch(button.formAction || form.action, {
          method: 'POST', headers: { Accept: 'application/json' }, body: new URLSearchParams(data)
        });
        if (!answer.ok) throw new Error(answer.status === 403 ? 'Log in again.' : `newsd answered ${answer.status}.`);
        return answer.json();
      };
      document.addEventListener('submit', event => {
        const button = event.submitter;
        if (!button || !button.classList.contains('toggle')) return;
        event.preventDefault();
        post(button).then(state => { show(state); if ('unread' in state) count(state.unread); })
          .catch(error => say('Not marked: ' + (error instanceof TypeError ? 'newsd does not answer.' : error.message)));
      });

      // Keys
      const select = row => {
        for (const other of items()) other.removeAttribute('aria-current');
        row.setAttribute('aria-current', 'true');
        one('h2 a', row).focus({ preventScroll: true });
        row.scrollIntoView({ block: 'nearest', behavior: 'instant' });
        store.set('at', row.dataset.id);
      };
      const step = (by, matches = () => true) => {
        const rows = items();
        if (!rows.length) return follow(by > 0 ? 'a[data-next]' : 'a[data-previous]');
        let index = rows.indexOf(one('#items article[aria-current]'));
        if (index < 0 && by < 0) return;
        for (index += by; index >= 0 && index < rows.length; index += by) {
          if (matches(rows[index])) return select(rows[index]);
        }
        if (by > 0) follow('a[rel=next]');
      };
      const follow = selector => { const link = one(selector); if (link) link.click(); };
      const press = selector => {
        const row = current(), button = row && one(selector, row);
        if (button) button.form.requestSubmit(button);
      };
      const nextUnread = () => step(1, row => row.classList.contains('unread'));
      const help = () => { const box = one('#help'); if (box && !box.open) box.showModal(); };
      const go = path => { location.href = base + path; };
      const actions = {
        j: () => step(1), k: () => step(-1), n: nextUnread,
        ' ': event => {
          if (innerHeight + scrollY < document.documentElement.scrollHeight - 4 && !items().length) return true;
          nextUnread();
        },
        o: () => { const row = current(); if (row) follow(`#items article[data-id='${row.dataset.id}'] h2 a`); },
        v: () => { const row = current(), link = row && one('a[data-original]', row); if (link) link.click(); },
        m: () => press('button.seen'), s: () => press('button.star'), f: () => press('button.star'),
        L: () => { const box = one('.labels input[name=add]'); if (box) box.focus(); }, W: () => press('button[data-save]'),
        A: () => { const form = one('#mark-page'); if (form) form.requestSubmit(); },
        u: () => { const back = store.get('list'); if (items().length === 0) back ? location.href = back : go('/unread'); },
        r: () => { const form = one('#refresh'); if (form) form.requestSubmit(); },
        '/': () => { const box = one('#q'); if (box) { box.focus(); box.select(); } },
        '?': help
      };
      const places = { u: '/unread', s: '/starred', a: '/all', f: '/feeds' };
      let waitsForPlace = 0;
      document.addEventListener('keydown', event => {
        const at = event.target;
        if (!usesKeys || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
        if (at.closest('input, select, textarea, dialog, [contenteditable]')) {
          if (event.key === 'Escape' && at.matches('#q')) at.blur();
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

      // A list is remembered while its items are read, so that next and previous follow it.
      if (one('#items')) {
        store.set('list', location.href);
        store.set('ids', items().map(row => row.dataset.id));
      }
      const page = one('main article.item[data-id]');
      const ids = store.get('ids') || [], place = page ? ids.indexOf(page.dataset.id) : -1;
      if (place >= 0) {
        for (const [selector, id] of [['a[data-next]', ids[place + 1]], ['a[data-previous]', ids[place - 1]]]) {
          const link = one(selector);
          if (link && id) link.href = `${base}/item/${id}`;
        }
      }

      // Live updates
      if (document.body.dataset.events && window.EventSource) {
        const events = new EventSource(base + '/events');
        events.addEventListener('marks', event => { for (const state of JSON.parse(event.data)) show(state); });
        events.addEventListener('unread', event => count(Number(event.data)));
        events.addEventListener('arrived', event => {
          const bar = one('#arrived');
          if (!bar) return;
          const number = Number(bar.dataset.count || 0) + Number(event.data);
          bar.dataset.count = number;
          one('a', bar).textContent = number === 1 ? 'Show 1 new item' : `Show ${number} new items`;
          bar.hidden = false;
        });
        events.addEventListener('refresh', event => {
          const state = JSON.parse(event.data), bar = one('#refreshing');
          if (!bar) return;
          bar.hidden = !state.text;
          bar.classList.toggle('failure', !!state.failed);
          one('p', bar).textContent = state.text;
          const meter = one('progress', bar);
          meter.hidden = !state.running;
          meter.max = state.total || 1;
          meter.value = state.done || 0;
        });
        addEventListener('pagehide', () => events.close());
      }
    })();
    """
}
