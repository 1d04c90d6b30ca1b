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
    const replaceBroken = image => {
      const text = image.alt || 'A picture';
      image.replaceWith(make('span', { className: 'broken', textContent: `${text} (not available)` }));
    };
    const enlarge = image => {
      const box = make('dialog', { className: 'view' });
      const large = make('img', { src: image.currentSrc || image.src, alt: image.alt, referrerPolicy: 'no-referrer' });
      const close = make('button', { type: 'button', textContent: 'Close' });
      box.append(large, close);
      box.addEventListener('click', () => box.close());
      box.addEventListener('close', () => box.remove());
      document.body.append(box);
      box.showModal();
    };
    const dress = at => {
      localize(at);
      const content = one('.content', at);
      if (!content) return;
      for (const image of all('img', content)) {
        const size = sizes.get(image.src);
        if (size && !image.hasAttribute('width')) [image.width, image.height] = size;
        if (image.complete && image.src) { if (image.naturalWidth) learn(image); else if (image.loading !== 'lazy') replaceBroken(image); }
        image.addEventListener('load', () => learn(image));
        image.addEventListener('error', () => replaceBroken(image));
        if (!image.closest('a')) image.addEventListener('click', () => enlarge(image));
      }
      for (const table of all('table', content)) {
        if (table.closest('.scroll') || table.parentElement.closest('table')) continue;
        const box = make('div', { className: 'scroll' });
        table.replaceWith(box);
        box.append(table);
        if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      }
      for (const code of all('pre', content)) {
        const box = make('div', { className: 'code-box' });
        const copy = make('button', { type: 'button', textContent: 'Copy' });
        copy.addEventListener('click', () => navigator.clipboard.writeText(code.textContent)
          .then(() => { copy.textContent = 'Copied'; }).catch(() => say('The code could not be copied.')));
        code.replaceWith(box);
        box.append(code, copy);
        if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
      }
    };
    """#
}
