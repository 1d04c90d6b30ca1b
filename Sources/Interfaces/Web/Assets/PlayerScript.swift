/// The player of the page. Without it, a recording has the browser's own controls.
///
/// The player is a bar at the foot of the window. It keeps playing when the article changes, and continues after the page
/// is loaded again. The browser stores the queue, the server the positions.
enum PlayerScript {
  static let text: StaticString = """
    const one = (s, from = document) => from.querySelector(s);
    const base = document.body.dataset.base;
    const load = (box, name, other) => {
      try { return JSON.parse(box().getItem(name)) ?? other; } catch { return other; }
    };
    const save = (box, name, value) => { try { box().setItem(name, JSON.stringify(value)); } catch { } };
    const local = () => localStorage, tab = () => sessionStorage;
    const make = (tag, properties = {}, ...children) => {
      const element = Object.assign(document.createElement(tag), properties);
      element.append(...children);
      return element;
    };
    const fill = (text, values) => text.replace(/\\{(\\w+)\\}/g, (_, name) => values[name]);
    const clock = time => {
      const s = Math.floor(time || 0), two = n => String(n).padStart(2, '0');
      const rest = `${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
      return s >= 3600 ? `${Math.floor(s / 3600)}:${rest}` : rest;
    };

    // The first entry of the queue is the recording in the bar.
    let queue = load(local, 'newsd-queue', []).filter(entry => entry && entry.src && entry.item);
    const choices = { rate: 1, read: true, ...load(local, 'newsd-player', {}) };
    let bar = null, media = null, part = {}, chapters = [], sent = 0;
    const keep = () => save(local, 'newsd-queue', queue);
    const same = (a, b) => a && b && a.item === b.item && a.number === b.number;

    const send = (entry, fields) => {
      const token = one('input[name=csrf]');
      if (!token || isNaN(entry.number)) return;
      fetch(`${base}/items/${entry.item}/enclosures/${entry.number}`, {
        method: 'POST', keepalive: true, headers: { Accept: 'application/json' },
        body: new URLSearchParams({ csrf: token.value, ...fields })
      }).catch(() => { });
    };
    const note = () => {
      const entry = queue[0];
      if (!entry || !media) return;
      entry.position = Math.floor(media.currentTime);
      keep();
    };
    const report = () => {
      if (media && media.ended) return;
      note();
      if (!queue[0] || queue[0].position === sent) return;
      sent = queue[0].position;
      send(queue[0], { position: sent });
    };

    const button = (name, text, action) => {
      const element = make('button', { type: 'button', title: name }, text);
      element.setAttribute('aria-label', name);
      element.addEventListener('click', action);
      return element;
    };
    const skip = by => { media.currentTime = Math.min(Math.max(media.currentTime + by, 0), media.duration || Infinity); };
    const play = () => media.play().catch(error => {
      if (error.name !== 'NotAllowedError' && error.name !== 'AbortError') say(texts.cannotPlay);
    });
    const toggle = () => media.paused ? play() : media.pause();
    const say = text => { part.note.textContent = text; };

    const build = () => {
      media = make('video', { preload: 'metadata', playsInline: true });
      part = {
        cover: make('img', { alt: '', className: 'cover' }), title: make('a', { className: 'title' }),
        feed: make('span', { className: 'quiet' }), time: make('span', { className: 'time' }),
        seek: make('input', { type: 'range', min: 0, max: 0, step: 1, value: 0 }),
        rate: make('select', { title: texts.speed }), chapters: make('select', { title: texts.chapters, hidden: true }),
        next: button(texts.next, '', () => finish(false)), close: button(texts.close, '×', stop), note: make('span', { className: 'quiet' }),
        full: button(texts.fullScreen, '⛶', () => media.requestFullscreen()), list: make('ol'),
        queue: make('details', { hidden: true }, make('summary')),
        play: button(texts.play, '', toggle), read: make('input', { type: 'checkbox', checked: choices.read })
      };
      // Their signs are drawn by the style sheet: many fonts lack them.
      for (const name of ['play', 'next', 'rate', 'close']) part[name].className = name;
      part.note.setAttribute('role', 'status');
      part.seek.setAttribute('aria-label', texts.position);
      for (const rate of [0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3]) part.rate.append(new Option(`${rate}×`, rate));
      part.rate.value = choices.rate;
      part.rate.setAttribute('aria-label', texts.speed);
      part.chapters.setAttribute('aria-label', texts.chapters);
      part.rate.addEventListener('change', () => {
        choices.rate = media.playbackRate = Number(part.rate.value);
        save(local, 'newsd-player', choices);
      });
      part.read.addEventListener('change', () => {
        choices.read = part.read.checked;
        save(local, 'newsd-player', choices);
      });
      part.chapters.addEventListener('change', () => { media.currentTime = Number(part.chapters.value); });
      part.seek.addEventListener('input', () => { media.currentTime = Number(part.seek.value); });
      bar = make('section', { id: 'player' }, part.cover, media,
        make('div', { className: 'what' }, part.title, part.feed, part.note),
        make('div', { className: 'controls tools' }, button(texts.back, '−15', () => skip(-15)), part.play,
          button(texts.forward, '+30', () => skip(30)), part.seek, part.time, part.chapters, part.rate,
          make('label', {}, part.read, ` ${texts.markRead}`), part.full, part.next, part.queue, part.close));
      part.queue.append(part.list);
      bar.setAttribute('aria-label', texts.player);
      document.body.append(bar);
      document.body.classList.add('plays');
      // The rest of the page keeps this room free.
      room.observe(bar);
      const drawPlaying = () => {
        part.play.classList.toggle('on', !media.paused);
        part.play.title = media.paused ? texts.play : texts.pause;
        part.play.setAttribute('aria-label', part.play.title);
        save(tab, 'newsd-plays', !media.paused);
        drawButtons();
      };
      media.addEventListener('play', drawPlaying);
      media.addEventListener('pause', () => { report(); if (!leaving) drawPlaying(); });
      media.addEventListener('loadedmetadata', () => {
        part.seek.max = Math.floor(media.duration) || 0;
        settle();
        media.playbackRate = choices.rate;
      });
      media.addEventListener('timeupdate', () => {
        part.seek.value = Math.floor(media.currentTime);
        part.time.textContent = `${clock(media.currentTime)} / ${clock(media.duration)}`;
        const index = chapters.findLastIndex(chapter => chapter.start <= media.currentTime);
        if (index >= 0) part.chapters.selectedIndex = index;
        if (Math.abs(media.currentTime - (queue[0] ? queue[0].position || 0 : 0)) >= 5) note();
        if (Math.abs(media.currentTime - sent) >= 15) report();
      });
      media.addEventListener('seeked', report);
      media.addEventListener('ended', () => finish(true));
      media.addEventListener('error', () => say(texts.cannotPlayHere));
    };
    const room = new ResizeObserver(() => document.documentElement.style.setProperty('--player', `${bar ? bar.offsetHeight : 0}px`));
    // A video is shown in its article, else in the bar.
    const settle = () => {
      if (!bar) return;
      const entry = queue[0], isVideo = media.videoWidth > 0;
      const place = entry && isVideo && one(`article.item[data-id='${Number(entry.item)}'] [data-number='${CSS.escape(entry.number)}']`);
      media.classList.toggle('seen', isVideo);
      media.controls = !!place;
      part.full.hidden = !isVideo;
      if (media.parentElement === (place || bar)) return;
      const plays = !media.paused;
      if (place) place.prepend(media); else part.cover.after(media);
      if (plays) play();
    };
    let leaving = false;
    addEventListener('pagehide', () => { leaving = true; report(); });
    addEventListener('pageshow', () => { leaving = false; });

    const close = () => {
      report();
      queue = [];
      keep();
      save(tab, 'newsd-plays', false);
      media.removeAttribute('src');
      media.load();
      media.remove();
      room.disconnect();
      bar.remove();
      bar = null;
      document.body.classList.remove('plays');
      document.documentElement.style.removeProperty('--player');
      drawButtons();
    };
    // What the page's other script shows with a button that takes it back.
    const offer = (text, before) => {
      const undo = () => {
        // The undo does not stop the recording that plays.
        const plays = bar && same(queue[0], before[0]);
        queue = before;
        keep();
        if (plays) drawQueue(); else open(false);
      };
      document.dispatchEvent(new CustomEvent('newsd-undo', { detail: { text, undo } }));
    };
    const stop = () => {
      note();
      const before = queue;
      close();
      offer(before.length > 1 ? fill(texts.closedWithQueue, { number: before.length }) : texts.closed, before);
    };
    const finish = isPlayed => {
      const entry = queue.shift();
      keep();
      if (entry && isPlayed) {
        send(entry, { position: 0, played: 1, ...(choices.read ? { read: 1 } : {}) });
      }
      if (queue.length) return open(true);
      if (bar) close();
    };
    const open = plays => {
      const entry = queue[0];
      if (!bar) build();
      media.src = entry.src;
      sent = entry.position || 0;
      if (sent > 0) media.currentTime = sent;
      media.classList.remove('seen');
      part.full.hidden = true;
      part.title.textContent = entry.title;
      part.title.href = entry.page;
      part.feed.textContent = entry.feed;
      part.cover.hidden = !entry.cover;
      if (entry.cover) part.cover.src = entry.cover;
      say('');
      drawQueue();
      describe(entry);
      readChapters(entry);
      if (plays) play();
    };
    const drawQueue = () => {
      if (!bar) return;
      const waiting = queue.length - 1;
      part.next.hidden = part.queue.hidden = waiting < 1;
      one('summary', part.queue).textContent = fill(texts.queue, { number: waiting });
      part.list.replaceChildren(...queue.slice(1).map(entry => {
        const change = (name, text, others) => button(fill(name, entry), text, () => {
          const before = [...queue];
          queue = others();
          keep();
          drawQueue();
          if (name === texts.removeTitle) offer(fill(texts.notInTheQueue, entry), before);
        });
        const rest = () => queue.filter(other => other !== entry), at = queue.indexOf(entry);
        const up = change(texts.earlierTitle, '↑', () => rest().toSpliced(at - 1, 0, entry));
        up.disabled = at < 2;
        return make('li', {}, button(fill(texts.playTitle, entry), entry.title, () => { report(); queue = [entry, ...rest()]; keep(); open(true); }),
          up, change(texts.removeTitle, '×', rest));
      }));
    };
    const readChapters = async entry => {
      chapters = [];
      part.chapters.replaceChildren();
      part.chapters.hidden = true;
      if (!entry.chapters) return;
      try {
        const answer = await fetch(entry.chapters, { headers: { Accept: 'application/json' } });
        const list = answer.ok ? await answer.json() : [];
        if (!same(entry, queue[0])) return;
        chapters = list;
        for (const chapter of list) {
          part.chapters.append(new Option(`${clock(chapter.start)} ${chapter.title}`, chapter.start));
        }
        part.chapters.hidden = list.length === 0;
      } catch { }
    };
    const describe = entry => {
      const session = navigator.mediaSession;
      if (!session || !window.MediaMetadata) return;
      session.metadata = new MediaMetadata({
        title: entry.title, artist: entry.feed, artwork: entry.cover ? [{ src: entry.cover }] : []
      });
      const handlers = {
        play, pause: () => media.pause(), seekbackward: () => skip(-15), seekforward: () => skip(30),
        nexttrack: () => finish(false), seekto: event => { media.currentTime = event.seekTime; }
      };
      for (const [name, handler] of Object.entries(handlers)) {
        try { session.setActionHandler(name, handler); } catch { }
      }
    };

    // Each recording of an article gets buttons instead of the browser's controls.
    const entryOf = place => {
      const article = place.closest('article[data-id]'), data = place.dataset;
      return {
        item: article.dataset.id, number: data.number, src: one('audio, video', place).src, title: data.title,
        feed: data.feed, cover: data.cover || '', chapters: data.chapters || '',
        position: Number(data.position), page: `${base}/item/${article.dataset.id}`
      };
    };
    // What is embedded in a text is played like the recording with its address; newsd knows no position of any other, which has
    // its address as number.
    const enclose = () => {
      for (const own of document.querySelectorAll('article.item .content :is(audio, video):not(.recording *)')) {
        const src = own.src || (one('source[src]', own) || own).src, cover = own.poster || '', article = own.closest('article');
        if (!src) continue;
        const title = own.title || one('h1', article).textContent, place = make('div', { className: 'recording', role: 'group', ariaLabel: title },
          make('div', { className: 'what' }, make('p', { className: 'name', textContent: title })));
        const known = [...article.querySelectorAll('[data-recording]')].find(at => one('audio, video', at).src === src) || place;
        Object.assign(place.dataset, { recording: '', number: src, title, cover, feed: one('.meta .feed', article).textContent, position: 0, ...known.dataset });
        delete place.dataset.adopted;
        if (cover) place.prepend(make('img', { className: 'cover', alt: '', referrerPolicy: 'no-referrer', src: cover }));
        own.replaceWith(place);
        own.src = src;
        one('.what', place).append(own);
      }
    };
    const adopt = () => {
      enclose();
      for (const place of document.querySelectorAll('[data-recording]:not([data-adopted])')) {
        place.dataset.adopted = '';
        const entry = entryOf(place), own = one('audio, video', place);
        own.hidden = true;
        own.controls = false;
        const box = one('.what', place);
        box.prepend(
          make('button', { type: 'button', className: 'play', onclick: () => {
            if (same(queue[0], entry) && bar) return toggle();
            if (bar) report();
            // What was playing comes next.
            queue = [entry, ...queue.filter(other => !same(other, entry))];
            keep();
            open(true);
          } }));
        box.append(
          make('button', { type: 'button', className: 'enqueue plain', onclick: () => {
            if (queue.some(other => same(other, entry))) return;
            queue.push(entry);
            keep();
            if (!bar) open(false); else drawQueue();
          } }, texts.enqueue));
      }
      drawButtons();
    };
    // The button of what plays in the bar pauses it.
    const drawButtons = () => {
      for (const place of document.querySelectorAll('[data-adopted]')) {
        const own = entryOf(place), entry = queue.find(other => same(other, own)) || own, element = one('button.play', place);
        const plays = !!bar && !media.paused && entry === queue[0];
        const text = plays ? texts.pause : entry.position > 0 ? fill(texts.playFrom, { time: clock(entry.position) }) : texts.play;
        element.classList.toggle('on', plays);
        // A change of the page draws the buttons again.
        if (element.textContent !== text) element.textContent = text;
      }
    };
    adopt();
    const main = one('main');
    if (main) new MutationObserver(() => { adopt(); settle(); }).observe(main, { childList: true, subtree: true });
    if (queue.length && main && document.body.dataset.events) open(load(tab, 'newsd-plays', false));
    """
}
