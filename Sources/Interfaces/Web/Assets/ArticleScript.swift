/// The part of the script for the text of an article: pictures, tables, code and videos.
enum ArticleScript {
  static let text: StaticString = #"""
    // Sizes of pictures that were shown before, by address: their room is kept free while they are loaded.
    const sizes = new Map(get(local, 'sizes') || []);
    let keeping;
    const learn = image => {
      if (!image.naturalWidth || sizes.has(image.currentSrc || image.src)) return;
      sizes.set(image.src, [image.naturalWidth, image.naturalHeight]);
      clearTimeout(keeping);
      keeping = setTimeout(() => set(local, 'sizes', [...sizes].slice(-600)), 500);
    };
    // Reserves room for a picture of unknown size, unless text or links stand beside it in the same line.
    const inLine = node => node && (node.nodeType === 3 ? !!node.data.trim() : /^(A|B|EM|I|SPAN|STRONG)$/.test(node.tagName));
    const awaitSize = image => {
      if (inLine(image.previousSibling) || inLine(image.nextSibling) || image.closest('td, a, li')) return;
      image.classList.add('awaited');
      for (const name of ['load', 'error']) image.addEventListener(name, () => image.classList.remove('awaited'), { once: true });
    };
    const replaceBroken = image => {
      const text = image.alt || texts.picture;
      image.replaceWith(make('span', { className: 'broken', textContent: fill(texts.notAvailable, { text }) }));
    };
    const enlarge = image => {
      const large = make('img', { src: image.currentSrc || image.src, alt: image.alt, referrerPolicy: 'no-referrer' });
      popUp(onClick(make('dialog', { className: 'view' }, large, makeButton(texts.close)), event => event.currentTarget.close()));
    };
    // Embedded videos are cards until they are clicked: nothing is loaded from their sites before.
    const videos = [
      [/^https:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/(?!videoseries)([\w-]{6,20})(?:[?#].*)?$/, 'https://www.youtube-nocookie.com/embed/', /^(start|end)=\d+$/],
      [/^https:\/\/player\.vimeo\.com\/video\/(\d{3,20})(?:[?#].*)?$/, 'https://player.vimeo.com/video/', /^h=\w+$/],
    ];
    const makeCard = link => {
      for (const [pattern, address, kept] of videos) {
        const found = link.href.match(pattern);
        if (!found) continue;
        const title = link.textContent.replace(/^▶ /, ''), still = link.dataset.still;
        const button = make('button', { type: 'button' }, make('span', { textContent: fill(texts.playTitle, { title }) }));
        if (still) {
          const image = make('img', { src: still, alt: '', loading: 'lazy' });
          image.addEventListener('error', () => image.remove());
          button.prepend(image);
        }
        const fields = ['autoplay=1', ...new URL(link.href).search.slice(1).split('&').filter(field => kept.test(field))];
        onClick(button, () => {
          const frame = make('iframe', {
            title, allow: 'autoplay; fullscreen; encrypted-media; picture-in-picture', referrerPolicy: 'strict-origin',
            src: `${address}${found[1]}?${fields.join('&')}`
          });
          frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox');
          button.replaceWith(frame);
          frame.focus();
        });
        const card = make('div', { className: 'video' }, button);
        link.replaceWith(card);
        link.textContent = fill(texts.titleOnSite, { title, site: new URL(link.href).hostname });
        card.append(link);
        return;
      }
    };
    const dress = at => {
      localize(at);
      for (const link of all('.content a.frame', at)) makeCard(link);
      for (const image of all('.content img', at)) {
        if (image.closest('.video')) continue;
        // A picture that is a paragraph of its own.
        if (image.matches('p > :only-child') && !image.parentElement.textContent.trim()) image.classList.add('alone');
        const size = sizes.get(image.src);
        if (size && !image.hasAttribute('width')) [image.width, image.height] = size;
        if (!image.complete && !image.hasAttribute('width') && !image.hasAttribute('height')) awaitSize(image);
        if (image.complete && image.src) { if (image.naturalWidth) learn(image); else if (image.loading !== 'lazy') replaceBroken(image); }
        image.addEventListener('load', () => learn(image));
        image.addEventListener('error', () => replaceBroken(image));
        if (!image.closest('a')) onClick(image, () => enlarge(image));
      }
      for (const table of all('.content table', at)) {
        if (table.closest('.scroll') || table.parentElement.closest('table')) continue;
        const box = make('div', { className: 'scroll' });
        table.replaceWith(box);
        box.append(table);
      }
      for (const code of all('.content pre', at)) {
        const box = make('div', { className: 'code-box' });
        const copy = makeButton(texts.copy, () => navigator.clipboard.writeText(code.textContent)
          .then(() => { copy.textContent = texts.copied; }).catch(() => say(texts.codeNotCopied)));
        code.replaceWith(box);
        box.append(code, copy);
      }
      // The width is known with the layout of the next frame.
      requestAnimationFrame(() => {
        for (const box of all('.content :is(.scroll, pre)', at)) if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      });
    };
    """#
}
