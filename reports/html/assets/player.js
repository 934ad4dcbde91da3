/* One duel, step by step: the board, who is asked what, the chain, and a timeline of everything that happens. */

const STATES = {
  resolving: 'resolving',
  resolved: 'resolved',
  'activation-negated': 'activation negated',
  'effect-negated': 'effect negated',
  'no-effect': 'resolved without effect',
};

class Player {
  constructor(place, onStep) {
    this.film = dataOf(place.dataset.film);
    this.film.looks = this.film.looks.map((look) => ({ index: 0, position: 'face-up', ...look }));
    this.onStep = onStep;
    this.step = -1;
    this.last = this.film.frames.length - 1;
    this.subject = null;
    this.board = new Board(this.film, place.dataset.film, (subject) => this.look(subject));
    place.classList.add('ready');
    place.setAttribute('role', 'group');
    place.setAttribute('aria-label', 'The duel, step by step. Left and right arrows go through it, Home and End to its ends.');
    place.append(this.makeControls(), this.makeStage());
    this.place = place;
  }

  get start() {
    return this.film.mark ?? 0;
  }

  // --- making ---

  makeControls() {
    const button = (text, name, step, extra = {}) => {
      const element = el('button', { type: 'button', 'aria-label': name, title: name, ...extra }, text);
      element.addEventListener('click', () => this.go(step()));
      return element;
    };
    this.buttons = {
      first: button('⏮\uFE0E', 'First step', () => 0, { 'aria-keyshortcuts': 'Home' }),
      previous: button('◀\uFE0E', 'Previous step', () => this.next(-1), { 'aria-keyshortcuts': 'ArrowLeft' }),
      next: button('▶\uFE0E', 'Next step', () => this.next(1), { 'aria-keyshortcuts': 'ArrowRight' }),
      last: button('⏭\uFE0E', 'Last step', () => this.last, { 'aria-keyshortcuts': 'End' }),
    };
    this.counter = el('output', { class: 'counter' });
    this.range = el('input', { type: 'range', min: 0, max: this.last, step: 1, 'aria-label': 'Step' });
    this.range.addEventListener('input', () => this.go(Number(this.range.value)));
    const toMark = this.film.mark === undefined ? null : button('✗ Where it goes wrong', 'Go to where it goes wrong', () => this.film.mark);
    toMark?.classList.add('to-mark');
    this.skip = el('input', { type: 'checkbox' });
    this.skip.addEventListener('change', () => this.timeline.classList.toggle('skipping', this.skip.checked));
    return el(
      'div',
      { class: 'controls' },
      el('div', { class: 'buttons' }, ...Object.values(this.buttons), toMark),
      el('div', { class: 'track' }, this.makeRail(), this.range),
      this.counter,
      el('label', { class: 'skip-forced' }, this.skip, ' Skip forced passes'),
    );
  }

  /* The steps of the Battle Phase as stretches over the slider, with a tick where a window opens. */
  makeRail() {
    const rail = el('div', { class: 'rail', 'aria-hidden': 'true' });
    const at = (element, index) => {
      element.style.left = `${(100 * index) / Math.max(this.last, 1)}%`;
      return element;
    };
    const stretches = [];
    this.film.frames.forEach((frame, index) => {
      const step = words.steps[frame.timing];
      if (stretches[stretches.length - 1]?.step !== step) stretches.push({ step, start: index });
    });
    stretches.forEach(({ step, start }, number) => {
      const end = stretches[number + 1]?.start ?? this.last;
      const name = step.split(' ')[0];
      const stretch = at(el('div', { class: `stretch ${name.toLowerCase()}`, title: step }, name), start);
      stretch.style.width = `${(100 * (end - start)) / Math.max(this.last, 1)}%`;
      stretch.addEventListener('click', () => this.go(start));
      rail.append(stretch);
    });
    this.film.frames.forEach((frame, index) => {
      if (frame.kind === 'timing-began') rail.append(at(el('div', { class: 'tick' }), index));
    });
    if (this.film.mark !== undefined) rail.append(at(el('div', { class: 'tick wrong' }, '✗'), this.film.mark));
    return rail;
  }

  makeStage() {
    this.caption = el('p', { class: 'caption' });
    this.when = el('p', { class: 'when' });
    this.banner = el('p', { class: 'banner', hidden: true }, '✗ Here it goes wrong');
    this.offer = el('div', { class: 'offer' });
    this.chain = el('div', { class: 'chain' });
    this.detail = el('div', { class: 'detail' });
    this.live = el('p', { class: 'unseen', 'aria-live': 'polite' });
    this.timeline = this.makeTimeline();
    return el(
      'div',
      { class: 'stage' },
      el('div', { class: 'table' }, this.board.element, this.detail),
      el('div', { class: 'side' }, el('div', { class: 'now' }, this.when, this.caption, this.banner, this.offer, this.chain), this.timeline, this.live),
    );
  }

  makeTimeline() {
    this.items = [];
    const windows = [];
    this.film.frames.forEach((frame, index) => {
      if (frame.kind === 'timing-began' || frame.kind === 'board') {
        const title = frame.kind === 'board' ? 'Before the Battle Phase' : words.timings[frame.timing];
        windows.push({ title, step: frame.kind === 'board' ? '' : words.steps[frame.timing], list: el('ol') });
      }
      const item = this.makeItem(frame, index);
      this.items.push(item);
      windows[windows.length - 1].list.append(el('li', { class: frame.offer?.idle ? 'idle' : null }, item));
    });
    const timeline = el('div', { class: 'timeline', role: 'group', 'aria-label': 'Timeline' });
    for (const { title, step, list } of windows) {
      const named = step && !title.includes(step) ? el('span', { class: 'step' }, step) : null;
      const heading = el('p', { class: 'window' }, named, title, ' ');
      timeline.append(el('section', {}, heading, list));
    }
    if (this.film.left_out) timeline.append(el('p', { class: 'aside' }, `${this.film.left_out} further events are left out.`));
    timeline.addEventListener('keydown', (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (by) {
        event.preventDefault();
        this.go(this.next(by));
        this.items[this.step].focus();
      }
    });
    return timeline;
  }

  makeItem(frame, index) {
    const wrong = index === this.film.mark;
    const item = el('button', { type: 'button', class: `event ${frame.kind}${wrong ? ' wrong' : ''}`, tabindex: -1 }, frame.caption, wrong ? el('strong', {}, ' ✗ here') : null);
    item.addEventListener('click', () => this.go(index));
    return item;
  }

  // --- moving ---

  next(by) {
    let step = this.step + by;
    while (this.skip.checked && this.film.frames[step]?.offer?.idle && step !== this.film.mark) step += by;
    return Math.min(Math.max(step, 0), this.last);
  }

  go(step, quiet = false) {
    const to = Math.min(Math.max(step, 0), this.last);
    if (to === this.step) return;
    this.items[this.step]?.removeAttribute('aria-current');
    this.items[this.step]?.setAttribute('tabindex', -1);
    this.step = to;
    this.board.element.classList.toggle('still', quiet);
    this.draw();
    if (!quiet) {
      this.live.textContent = this.spoken();
      this.onStep(to);
    }
  }

  key(event) {
    const target = { ArrowLeft: () => this.next(-1), ArrowRight: () => this.next(1), Home: () => 0, End: () => this.last }[event.key];
    if (!target) return;
    event.preventDefault();
    this.go(target());
  }

  // --- drawing ---

  draw() {
    const frame = this.film.frames[this.step];
    const wrong = this.step === this.film.mark;
    this.board.show(frame, this.film.frames[this.step - 1]);
    this.range.value = this.step;
    this.range.setAttribute('aria-valuetext', `${this.step} of ${this.last}: ${frame.caption}`);
    this.counter.textContent = `Step ${this.step} of ${this.last}`;
    this.buttons.first.disabled = this.buttons.previous.disabled = this.step === 0;
    this.buttons.next.disabled = this.buttons.last.disabled = this.step === this.last;
    const step = words.steps[frame.timing];
    const timing = words.timings[frame.timing];
    this.when.textContent = timing.includes(step) || timing.includes('Damage Step') ? timing : `${step}: ${timing}`;
    this.caption.textContent = frame.caption;
    this.banner.hidden = !wrong;
    this.place?.classList.toggle('at-mark', wrong);
    this.drawOffer(frame.offer);
    this.drawChain(frame.chain ?? []);
    this.drawDetail();
    const item = this.items[this.step];
    item.setAttribute('aria-current', 'step');
    item.setAttribute('tabindex', 0);
    this.scrollTo(item);
  }

  /* Only the timeline scrolls, never the page. */
  scrollTo(item) {
    const box = this.timeline.getBoundingClientRect();
    const at = item.getBoundingClientRect();
    this.timeline.scrollTop += at.top - box.top - (box.height - at.height) / 2;
  }

  drawOffer(offer) {
    this.offer.replaceChildren();
    if (!offer) return;
    const options = offer.options.map((option, index) => {
      const chosen = index === offer.chosen;
      return el('li', { class: chosen ? 'chosen' : null }, el('span', { 'aria-hidden': 'true' }, chosen ? '● ' : '○ '), option, chosen ? el('span', { class: 'unseen' }, ' (chosen)') : null);
    });
    this.offer.append(el('p', {}, `${offer.question}. On offer${offer.forced ? ', so nobody was asked' : ''}:`), el('ul', {}, ...options));
  }

  drawChain(chain) {
    this.chain.replaceChildren();
    if (!chain.length) return;
    const links = chain.map((link) => {
      const state = link.state ? STATES[link.state] : '';
      return el('li', { class: link.state ?? null }, el('span', { class: 'link' }, String(link.number)), ` ${link.name}`, el('span', { class: 'aside' }, ` ${[words.players[link.player], state].filter(Boolean).join(', ')}`));
    });
    this.chain.append(el('p', {}, 'Chain'), el('ol', {}, ...links));
  }

  look(subject) {
    this.subject = subject;
    this.drawDetail();
  }

  drawDetail() {
    const { subject, board } = this;
    const look = subject && 'card' in subject ? board.lookOf(subject.card) : null;
    if (look) {
      const face = board.faceOf(look.card);
      this.detail.replaceChildren(...this.cardDetail(look, face));
    } else if (subject && 'zone' in subject) {
      const names = board.pile(subject.zone, subject.side).map((other) => board.faceOf(other.card).name);
      this.detail.replaceChildren(el('p', {}, el('strong', {}, `${words.zones[subject.zone]} of ${words.players[subject.side]}`)), el('p', {}, names.length ? names.join(' · ') : 'empty'));
    } else {
      this.detail.replaceChildren(el('p', { class: 'aside' }, 'Point at a card or a pile, or move to it with the Tab key, to read about it here.'));
    }
  }

  *cardDetail(look, face) {
    yield el('p', {}, el('strong', {}, face.name), ` ${face.line}`);
    const own = face.owner === look.side ? '' : `, owned by ${words.players[face.owner]}`;
    yield el('p', {}, this.board.tell(look).slice(face.name.length + 2) + own);
    const original = ['atk', 'def'].filter((key) => face[key] !== undefined && face[key] !== look[key]);
    if (original.length) yield el('p', { class: 'aside' }, `originally ${original.map((key) => `${key.toUpperCase()} ${face[key]}`).join(' / ')}`);
  }

  spoken() {
    const frame = this.film.frames[this.step];
    const wrong = this.step === this.film.mark ? ' Here it goes wrong.' : '';
    const offer = frame.offer && !frame.offer.forced ? ` On offer: ${frame.offer.options.join('; ')}.` : '';
    return `${this.counter.textContent}. ${this.when.textContent}. ${frame.caption}.${offer}${wrong}`;
  }
}
