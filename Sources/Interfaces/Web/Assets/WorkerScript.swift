/// The service worker: keeps the newest unread items in the browser, and answers with them while newsd does not.
///
/// It stores only what it asks for itself, never what passes through it, so that no item can choose what is kept: the page
/// of unread items, their articles, newsd's own files and the pictures that newsd passes on. What it keeps is named after
/// the account; an answer for another account, a log-out and the log-in page empty it.
enum WorkerScript {
  static let text: StaticString = #"""
    const base = new URL(registration.scope).pathname, prefix = `newsd ${base} `;
    const mostItems = 200, mostPictures = 1200, largest = 4 << 20, room = 100 << 20, patience = 6000;
    // `turn` is raised when what is kept is removed: what was asked for before is not stored then. `again`: to be kept anew
    // after the present run.
    let turn = 0, busy = false, again = false, last = 0, current;

    const shelves = async () => (await caches.keys()).filter(name => name.startsWith(prefix));
    // Removes what is kept of other accounts, or everything.
    const empty = async owner => {
      if (!owner || (current && current !== owner)) {
        turn += 1;
        last = 0;
      }
      current = owner;
      for (const name of await shelves()) if (name !== prefix + owner) await caches.delete(name);
    };
    const forgetMarks = () => new Promise(done => {
      const asked = indexedDB.open(`newsd ${base}`, 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore('marks', { keyPath: 'key' });
      asked.onerror = done;
      asked.onsuccess = () => {
        const work = asked.result.transaction('marks', 'readwrite');
        work.objectStore('marks').clear();
        work.oncomplete = work.onabort = () => { asked.result.close(); done(); };
      };
    });

    const keep = async () => {
      // The present run may be one for another account, which stores nothing any more.
      if (busy) again = true;
      if (busy || Date.now() - last < 60_000) return;
      busy = true;
      again = false;
      last = Date.now();
      const mine = turn, wanted = new Set(), pictures = new Set();
      let shelf, owner;
      const check = () => { if (mine !== turn) throw new Error('emptied'); };
      const ask = async (path, fields) => {
        const answer = await fetch(base + path, { redirect: 'error', headers: fields });
        if (!answer.ok) throw new Error(String(answer.status));
        check();
        return answer;
      };
      // Stores a page or a part of one, and returns its text. It is asked for at the address `from`.
      const page = async (path, from = path) => {
        const answer = await ask(from, { Accept: 'text/html' }), whose = answer.headers.get('Newsd-Account');
        if (!whose || whose !== (owner ||= whose)) throw new Error('another account');
        if (!shelf) {
          await empty(owner);
          check();
          shelf = await caches.open(prefix + owner);
          if (mine !== turn) await caches.delete(prefix + owner);
          check();
        }
        const text = await answer.clone().text();
        check();
        await shelf.put(base + path, answer);
        wanted.add(base + path);
        return text;
      };
      const addresses = (text, folders) => [...text.matchAll(/ (?:src|href|data-still)="([^"]+)"/g)]
        .map(found => found[1].replaceAll('&amp;', '&')).filter(at => folders.some(folder => at.startsWith(base + folder)));
      // The text of an item may look like markup.
      const picture = /^(?:icons\/[0-9a-f]+|media\/picture\/\d+\/[0-9a-f]+\?u=[\w.~%-]+)$/;
      const note = text => {
        for (const at of addresses(text, ['media/picture/', 'icons/'])) if (picture.test(at.slice(base.length))) pictures.add(at);
      };
      try {
        const shell = await page('unread', 'unread?part=kept'), ids = new Set();
        for (let path = 'unread?part=list'; path && ids.size < mostItems;) {
          const text = await page(path), tag = text.match(/<a [^>]*rel="next"[^>]*>/), next = tag && addresses(tag[0], ['unread?'])[0];
          for (const found of text.matchAll(/<article data-id="(\d+)"/g)) ids.add(found[1]);
          note(text);
          const url = next && new URL(next, location.origin);
          if (url) url.searchParams.set('part', 'list');
          path = url && (url.pathname + url.search).slice(base.length);
        }
        const rest = [...ids].slice(0, mostItems);
        const articles = async () => {
          for (let id; (id = rest.shift());) {
            const path = `item/${id}?part=article`, known = await shelf.match(base + path, { ignoreVary: true });
            wanted.add(base + path);
            note(known ? await known.text() : await page(path).catch(error => { check(); return ''; }));
          }
        };
        await Promise.all([articles(), articles(), articles()]);
        note(shell);
        for (const at of addresses(shell, ['static/'])) {
          wanted.add(at);
          if (!await shelf.match(at)) { const answer = await ask(at.slice(base.length)); await shelf.put(at, answer); }
        }
        let size = 0;
        for (const at of [...pictures].slice(0, mostPictures)) {
          const known = await shelf.match(at, { ignoreVary: true });
          if (known) { size += Number(known.headers.get('Content-Length')); wanted.add(at); continue; }
          try {
            const blob = await (await ask(at.slice(base.length))).blob();
            if (!blob.type.startsWith('image/') || blob.size > largest || size + blob.size > room) continue;
            check();
            await shelf.put(at, new Response(blob, { headers: {
              'Content-Type': blob.type, 'Content-Length': String(blob.size), 'X-Content-Type-Options': 'nosniff',
              'Content-Security-Policy': "default-src 'none'; sandbox" } }));
            size += blob.size;
            wanted.add(at);
          } catch { check(); }
        }
        for (const { url } of await shelf.keys()) {
          const at = new URL(url);
          if (!wanted.has(at.pathname + at.search)) await shelf.delete(url, { ignoreVary: true });
        }
      } catch {
        last = 0;
        if (mine !== turn) again = true;
      } finally {
        busy = false;
      }
      if (again) await keep();
    };

    const kept = async address => {
      const [name] = await shelves();
      return name ? (await caches.open(name)).match(address, { ignoreVary: true }) : undefined;
    };
    // The list of unread items, which shows the other kept pages, too. Its script learns when it was kept.
    const shell = async path => {
      const found = await kept(base + 'unread');
      if (!found) return undefined;
      if (path === '') return Response.redirect(base + 'unread');
      const fields = new Headers(found.headers), time = Date.parse(fields.get('Date')) || 0;
      for (const name of ['Content-Encoding', 'Content-Length']) fields.delete(name);
      return new Response((await found.text()).replace('<body ', `<body data-kept="${time}" `), { headers: fields });
    };
    // The other pages are not kept; this page says so. Its frame is that of the list.
    const absent = async () => {
      const found = await shell('unread');
      if (!found) return undefined;
      const text = `<main id="main"><h1>${texts.noAnswer}</h1><p><a href="${base}unread">${texts.onlyUnread}</a></p></main>`;
      const page = (await found.text()).replace(/<main[^]*<\/main>/, () => text).replace(/<title>[^<]*/, `<title>${texts.noAnswer}`);
      return new Response(page.replaceAll(' aria-current="page"', ''), { status: 503, headers: found.headers });
    };
    const answer = async (request, otherwise, isPatient) => {
      const asked = fetch(request);
      let got;
      asked.catch(() => {});
      try {
        got = await (isPatient ? asked : Promise.race([asked, new Promise((_, late) => setTimeout(late, patience))]));
        // A proxy answers with these if newsd does not.
        const whose = got.headers.get('Newsd-Account');
        if (whose) await empty(whose);
        if (whose || ![502, 503, 504].includes(got.status)) return got;
      } catch { }
      return await otherwise().catch(() => {}) || got || asked;
    };

    addEventListener('install', () => skipWaiting());
    addEventListener('activate', event => event.waitUntil(clients.claim()));
    addEventListener('message', event => {
      if (event.data === 'keep') event.waitUntil(keep());
      if (event.data === 'empty') event.waitUntil(empty());
    });
    addEventListener('fetch', event => {
      const { request } = event, url = new URL(request.url), to = request.destination;
      if (url.origin !== location.origin || !url.pathname.startsWith(base)) return;
      const path = url.pathname.slice(base.length), isItem = /^item\/\d+$/.test(path);
      if (request.method === 'POST' && path === 'logout') event.waitUntil(Promise.all([empty(), forgetMarks()]));
      if (request.method !== 'GET') return;
      if (to === 'document' && !url.search && (path === '' || path === 'unread' || isItem)) {
        event.respondWith(answer(request, () => shell(path)));
      } else if (to === '' && (path === 'unread' || isItem) && /^(list|article)$/.test(url.searchParams.get('part'))
        || to === 'image' && /^(media\/picture|icons|static)\//.test(path)
        || (to === 'script' || to === 'style') && path.startsWith('static/')) {
        event.respondWith(answer(request, () => kept(request.url)));
      } else if (to === 'document' && !/^(static|media|icons|login)\b/.test(path)) {
        event.respondWith(answer(request, absent, true));
      }
    });
    """#
}
