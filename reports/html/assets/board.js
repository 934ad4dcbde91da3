/* The board as a picture: Player A below, Player B above and turned round, as two people sit at a table. */

const PITCH = 112;
const ZONE = 104;
const CARD = { width: 72, height: 100 };
const WIDTH = 7 * PITCH;
const PILES = ['deck', 'extra-deck', 'graveyard', 'banished'];
const ON_FIELD = ['monster-zone', 'extra-monster-zone', 'spell-trap-zone', 'field-zone'];

/* Whoever reads a report may look into every hand. */
const isFaceDown = (look) => look.zone !== 'hand' && look.position.startsWith('face-down');
const isLying = (look) => look.position.endsWith('defense');
const isOnField = (look) => ON_FIELD.includes(look.zone);
const isMonster = (look) => look.atk !== undefined || look.def !== undefined;
const isPiled = (look) => PILES.includes(look.zone);

/* Rows that stay empty in the whole film are kept low. */
function rowsOf(film) {
  const uses = (test) => film.looks.some(test);
  const hand = [0, 1].map((side) => (uses((look) => look.zone === 'hand' && look.side === side) ? PITCH : 66));
  const middle = uses((look) => look.zone === 'extra-monster-zone' || look.zone === 'banished') ? PITCH : 34;
  const heights = [hand[1], PITCH, PITCH, middle, PITCH, PITCH, hand[0]];
  const centres = [];
  let top = 0;
  for (const height of heights) {
    centres.push(top + height / 2);
    top += height;
  }
  return { centres, height: top, hasMiddle: middle === PITCH };
}

const columnX = (column) => PITCH / 2 + column * PITCH;

/* The width of a text in this size, near enough to break lines by. */
const textWidth = (text, size) => [...text].reduce((sum, char) => sum + (/[il.,'|!\- ]/.test(char) ? 0.32 : /[A-Zmw]/.test(char) ? 0.72 : 0.55), 0) * size;

function linesOf(text, width, size, most) {
  const lines = [];
  for (const word of text.split(' ')) {
    const joined = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && textWidth(joined, size) <= width) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  if (lines.length > most) {
    lines.length = most;
    lines[most - 1] += ' …';
  }
  return lines;
}

function label(text, x, y, size, attributes = {}, width = Infinity) {
  const squeezed = textWidth(text, size) > width ? { textLength: width, lengthAdjust: 'spacingAndGlyphs' } : {};
  return svg('text', { x, y, 'font-size': size, 'text-anchor': 'middle', ...squeezed, ...attributes }, text);
}

class Board {
  constructor(film, name, onLook) {
    this.film = film;
    this.name = name;
    this.onLook = onLook;
    this.rows = rowsOf(film);
    this.cards = new Map();
    this.places = svg('g', { 'aria-hidden': 'true' });
    this.plates = svg('g', {});
    this.piles = svg('g', {});
    this.field = svg('g', {});
    this.arrows = svg('g', { class: 'arrows', 'aria-hidden': 'true' });
    this.element = svg(
      'svg',
      { class: 'board', viewBox: `0 0 ${WIDTH} ${this.rows.height}`, role: 'group', 'aria-label': 'The board' },
      this.patterns(), this.places, this.piles, this.field, this.plates, this.arrows,
    );
    this.drawPlaces();
    for (const id of Object.keys(film.faces)) {
      const card = svg('g', { class: 'card' });
      this.cards.set(Number(id), { element: card, drawn: null });
      this.field.append(card);
      this.listen(card, () => this.frame && this.lookOf(Number(id)) && { card: Number(id) });
    }
  }

  patterns() {
    const hatch = svg(
      'pattern',
      { id: `${this.name}-hatch`, width: 7, height: 7, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
      svg('rect', { class: 'hatch-ground', width: 7, height: 7 }),
      svg('rect', { class: 'hatch-line', width: 2.5, height: 7 }),
    );
    const head = (kind) => svg(
      'marker',
      { id: `${this.name}-${kind}`, viewBox: '0 0 10 10', refX: 8, refY: 5, markerWidth: 4, markerHeight: 4, orient: 'auto-start-reverse' },
      svg('path', { class: `${kind}-head`, d: 'M0 0 L10 5 L0 10 Z' }),
    );
    return svg('defs', {}, hatch, head('attack'), head('aim'));
  }

  drawPlaces() {
    const rect = (at, text, wide = ZONE) => {
      this.places.append(svg('rect', { class: 'zone', x: at.x - wide / 2, y: at.y - ZONE / 2, width: wide, height: ZONE, rx: 6 }));
      if (text) this.places.append(label(text, at.x, at.y + 4, 10, { class: 'zone-name' }));
    };
    for (const side of [0, 1]) {
      for (let index = 0; index < 5; index += 1) {
        rect(this.placeOf({ zone: 'monster-zone', side, index }));
        rect(this.placeOf({ zone: 'spell-trap-zone', side, index }));
      }
      rect(this.placeOf({ zone: 'field-zone', side, index: 0 }), 'Field Zone');
      for (const zone of PILES) if (this.rows.hasMiddle || zone !== 'banished') rect(this.placeOf({ zone, side, index: 0 }), null, CARD.width + 6);
    }
    if (this.rows.hasMiddle) for (const index of [0, 1]) rect(this.placeOf({ zone: 'extra-monster-zone', side: 0, index }));
  }

  /* The centre of a place, as Player A sees the table. */
  placeOf({ zone, side, index }) {
    const turned = side === 1;
    const row = (below) => this.rows.centres[turned ? 6 - below : below];
    const column = (left) => columnX(turned ? 6 - left : left);
    switch (zone) {
      case 'monster-zone': return { x: column(index + 1), y: row(4) };
      case 'spell-trap-zone': return { x: column(index + 1), y: row(5) };
      case 'extra-monster-zone': return { x: columnX(index === 0 ? 2 : 4), y: this.rows.centres[3] };
      case 'field-zone': return { x: column(0), y: row(4) };
      case 'extra-deck': return { x: column(0), y: row(5) };
      case 'graveyard': return { x: column(6), y: row(4) };
      case 'deck': return { x: column(6), y: row(5) };
      case 'banished': return { x: column(6), y: this.rows.centres[3] };
      default: return { x: column(3.5), y: row(6) };
    }
  }

  centreOf(look) {
    if (look.zone !== 'hand') return this.placeOf(look);
    const hand = this.looks.filter((other) => other.zone === 'hand' && other.side === look.side);
    const { x, y } = this.placeOf(look);
    const gap = Math.min(CARD.width + 8, (4.6 * PITCH) / hand.length);
    const shift = (hand.indexOf(look) - (hand.length - 1) / 2) * gap;
    return { x: x + (look.side === 1 ? -shift : shift), y };
  }

  lookOf(card) {
    return this.looks.find((look) => look.card === card);
  }

  faceOf(card) {
    return this.film.faces[card] ?? { name: `card #${card}`, kind: 'unknown', line: '', owner: 0 };
  }

  show(frame, before) {
    this.frame = frame;
    this.looks = frame.looks.map((index) => this.film.looks[index]);
    for (const [id, card] of this.cards) this.drawCard(id, card);
    this.drawPiles();
    this.drawPlates(before);
    this.drawArrows();
  }

  /* Cards stay the same elements from frame to frame, so that one sees them move. */
  drawCard(id, card) {
    const look = this.lookOf(id);
    const { element } = card;
    const hidden = !look || isPiled(look);
    element.classList.toggle('gone', hidden);
    element.classList.toggle('touched', !hidden && (this.frame.touched ?? []).includes(id));
    element.classList.toggle('doomed', Boolean(look?.doomed));
    if (look) {
      const { x, y } = this.centreOf(look);
      element.style.transform = `translate(${x}px, ${y}px)`;
    }
    if (hidden) {
      for (const name of ['tabindex', 'role', 'aria-label']) element.removeAttribute(name);
      element.setAttribute('aria-hidden', 'true');
      return;
    }
    element.removeAttribute('aria-hidden');
    const links = (this.frame.chain ?? []).filter((link) => link.card === id).map((link) => link.number);
    fill(element, { tabindex: 0, role: 'img', 'aria-label': this.tell(look) }, []);
    const drawn = JSON.stringify([look, links]);
    if (card.drawn !== drawn) {
      card.drawn = drawn;
      element.replaceChildren(...this.faceParts(look, links));
    }
  }

  *faceParts(look, links) {
    const face = this.faceOf(look.card);
    const lying = isLying(look);
    const [width, height] = lying ? [CARD.height, CARD.width] : [CARD.width, CARD.height];
    const down = isFaceDown(look);
    const box = { x: -width / 2, y: -height / 2, width, height, rx: 5 };
    yield svg('rect', { ...box, class: `paper ${face.kind}` });
    if (down) {
      yield svg('rect', { ...box, fill: `url(#${this.name}-hatch)` });
      yield svg('rect', { class: 'plate', x: -width / 2 + 5, y: -height / 2 + 5, width: width - 10, height: height - 10, rx: 3 });
    } else {
      const band = isMonster(look) && !lying ? 32 : 20;
      yield svg('rect', { class: 'band', x: -width / 2, y: height / 2 - band, width, height: band, rx: 5 });
    }
    const size = 10.5;
    const lines = linesOf(face.name, width - 12, size, lying ? 3 : 4);
    let y = -height / 2 + (down ? 19 : 15);
    for (const line of lines) {
      yield label(line, 0, y, size, { class: 'name' }, width - 12);
      y += size + 1;
    }
    yield* down ? this.downParts(look, height) : this.statParts(look, face, width, height);
    if (look.doomed) yield svg('path', { class: 'doom', d: `M${-width / 2 + 4} ${height / 2 - 4} L${width / 2 - 4} ${-height / 2 + 4}` });
    if ((look.notes ?? []).length) {
      yield svg('circle', { class: 'noted', cx: width / 2 - 3, cy: -height / 2 + 3, r: 8 });
      yield label('i', width / 2 - 3, -height / 2 + 7.5, 12, { class: 'noted-sign' });
    }
    let x = -width / 2 + 2;
    for (const number of links) {
      yield svg('circle', { class: 'link', cx: x, cy: -height / 2 + 2, r: 10 });
      yield label(String(number), x, -height / 2 + 6, 11, { class: 'link-number' });
      x += 18;
    }
  }

  *downParts(look, height) {
    yield label(isOnField(look) ? 'set' : 'face-down', 0, height / 2 - 12, 9.5, { class: 'small' });
  }

  *statParts(look, face, width, height) {
    if (!isMonster(look)) {
      if (face.kind !== 'unknown') yield label(face.line.replace(/^Normal /, ''), 0, height / 2 - 7, 9.5, { class: 'stat small' }, width - 10);
      return;
    }
    const value = (key) => {
      const now = look[key];
      const printed = face[key];
      const sign = now !== undefined && printed !== undefined && now !== printed ? (now > printed ? ' ▲' : ' ▼') : '';
      return { text: `${key.toUpperCase()} ${now ?? '?'}${sign}`, changed: sign !== '' };
    };
    const stat = (key, x, y, strong, room) => {
      const { text, changed } = value(key);
      const kinds = ['stat', strong ? 'strong' : '', changed ? 'changed' : ''].join(' ');
      return label(text, x, y, strong ? 10.5 : 9.5, { class: kinds }, room);
    };
    if (isLying(look)) {
      yield stat('atk', -width / 4, height / 2 - 6.5, false, width / 2 - 6);
      yield stat('def', width / 4, height / 2 - 6.5, true, width / 2 - 4);
    } else {
      yield stat('atk', 0, height / 2 - 19, true, width - 8);
      yield stat('def', 0, height / 2 - 7, false, width - 8);
    }
  }

  pile(zone, side) {
    return this.looks.filter((look) => look.zone === zone && look.side === side);
  }

  drawPiles() {
    const focused = this.piles.contains(document.activeElement) ? document.activeElement.dataset.pile : null;
    this.piles.replaceChildren();
    for (const side of [1, 0]) {
      for (const zone of PILES) {
        const looks = this.pile(zone, side);
        if (!this.rows.hasMiddle && zone === 'banished') continue;
        const { x, y } = this.placeOf({ zone, side, index: 0 });
        const title = words.zones[zone].replace(' cards', '');
        const element = svg('g', { class: looks.length ? 'pile' : 'pile empty', transform: `translate(${x} ${y})`, 'data-pile': `${zone} ${side}` });
        element.append(label(title, 0, -10, 10, { class: 'zone-name' }, CARD.width), label(String(looks.length), 0, 16, 20, { class: 'pile-count' }));
        if (looks.length) {
          const names = looks.map((look) => this.faceOf(look.card).name).join(', ');
          const count = `${looks.length} ${looks.length === 1 ? 'card' : 'cards'}`;
          element.prepend(svg('rect', { class: 'pile-ground', x: -CARD.width / 2, y: -CARD.height / 2, width: CARD.width, height: CARD.height, rx: 5 }));
          fill(element, { tabindex: 0, role: 'img', 'aria-label': `${title} of ${words.players[side]}, ${count}: ${names}` }, []);
          this.listen(element, () => ({ zone, side }));
        }
        this.piles.append(element);
        if (focused === element.dataset.pile && looks.length) element.focus();
      }
    }
  }

  drawPlates(before) {
    this.plates.replaceChildren();
    for (const side of [1, 0]) {
      const { x, y } = this.plateOf(side);
      const lp = this.frame.lp[side];
      const change = before ? lp - before.lp[side] : 0;
      const turn = this.film.turn_player === side ? ', turn player' : '';
      const notes = (this.frame.player_notes ?? [[], []])[side];
      const changed = change ? `, ${change > 0 ? 'plus' : 'minus'} ${Math.abs(change)}` : '';
      const plate = svg(
        'g',
        { class: 'lp', transform: `translate(${x} ${y})`, role: 'img', 'aria-label': [`${words.players[side]}${turn}: ${lp} Life Points${changed}`, ...notes].join(', ') },
        svg('rect', { class: `lp-ground${change ? ' changed' : ''}`, x: -80, y: -28, width: 160, height: 56, rx: 6 }),
        svg('text', { class: 'lp-name', x: -70, y: -9, 'font-size': 11 }, `${words.players[side]}${turn}`),
        svg('text', { class: 'lp-value', x: -70, y: 17, 'font-size': 22 }, String(lp)),
        svg('text', { class: 'lp-unit', x: 70, y: 17, 'font-size': 11, 'text-anchor': 'end' }, change ? `${change > 0 ? '+' : '−'}${Math.abs(change)} LP` : 'LP'),
      );
      this.plates.append(plate);
    }
  }

  plateOf(side) {
    const x = 80 + 4;
    return { x: side === 1 ? WIDTH - x : x, y: this.rows.centres[side === 1 ? 0 : 6] };
  }

  /* Where an attack on a player is drawn to: the near side of the plate. */
  edgeOf(side) {
    const { x, y } = this.plateOf(side);
    return side === 1 ? { x: x - 60, y: y + 10 } : { x: x + 60, y: y - 10 };
  }

  drawArrows() {
    this.arrows.replaceChildren();
    this.drawEquips();
    this.drawAims();
    this.drawStrike();
  }

  /* From the edge of one place to the edge of another. */
  line(from, to, kind, gap, attributes = {}, gapThere = gap) {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const step = (at, towards, by) => ({ x: at.x + ((towards.x - at.x) / length) * by, y: at.y + ((towards.y - at.y) / length) * by });
    const [start, end] = [step(from, to, Math.min(gap, length / 3)), step(to, from, Math.min(gapThere, length / 3))];
    this.arrows.append(svg('line', { class: kind, x1: start.x, y1: start.y, x2: end.x, y2: end.y, ...attributes }));
    return { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
  }

  drawEquips() {
    for (const look of this.looks) {
      const host = look.equipped_to === undefined ? undefined : this.lookOf(look.equipped_to);
      if (host && isOnField(look)) this.line(this.centreOf(look), this.centreOf(host), 'equip', 30);
    }
  }

  drawAims() {
    const chain = this.frame.chain ?? [];
    const link = chain.find((other) => other.state === 'resolving') ?? chain.findLast((other) => !other.state);
    const source = link && this.lookOf(link.card);
    if (!source) return;
    for (const target of link.targets ?? []) {
      const look = this.lookOf(target);
      if (look && target !== link.card) this.line(this.centreOf(source), this.centreOf(look), 'aim', 36, { 'marker-end': `url(#${this.name}-aim)` });
    }
  }

  drawStrike() {
    const { strike } = this.frame;
    const attacker = strike && this.lookOf(strike.attacker);
    if (!attacker || !isOnField(attacker)) return;
    const from = this.centreOf(attacker);
    const target = strike.target === undefined ? undefined : this.lookOf(strike.target);
    let to = null;
    if (strike.direct) to = this.edgeOf(1 - attacker.side);
    else if (target && isOnField(target)) to = this.centreOf(target);
    const kind = `attack${strike.declared ? '' : ' undeclared'}`;
    this.arrows.append(svg('circle', { class: 'attacker', cx: from.x, cy: from.y, r: 57 }));
    if (!to) return;
    const middle = this.line(from, to, kind, 54, { 'marker-end': `url(#${this.name}-attack)` }, strike.direct ? 36 : 54);
    const values = strike.values;
    if (values) {
      const text = values[1] === null || values[1] === undefined ? String(values[0]) : `${values[0]} : ${values[1]}`;
      const width = textWidth(text, 13) + 22;
      this.arrows.append(
        svg('rect', { class: 'values-ground', x: middle.x - width / 2, y: middle.y - 12, width, height: 24, rx: 12 }),
        label(text, middle.x, middle.y + 4.5, 13, { class: 'values' }),
      );
    }
  }

  /* A card in words. */
  tell(look) {
    const face = this.faceOf(look.card);
    const parts = [face.name, `${this.where(look)} of ${words.players[look.side]}`];
    if (isOnField(look) && look.position !== 'face-up') parts.push(look.position === 'face-down' ? 'set' : words.positions[look.position]);
    if (isMonster(look)) parts.push(`ATK ${look.atk ?? '?'}`, `DEF ${look.def ?? '?'}`);
    if (look.doomed) parts.push('determined to be destroyed by battle');
    return [...parts, ...(look.notes ?? [])].join(', ');
  }

  where(look) {
    const numbered = ['monster-zone', 'spell-trap-zone', 'extra-monster-zone'].includes(look.zone);
    return words.zones[look.zone] + (numbered ? ` ${look.index + 1}` : '');
  }

  listen(element, subject) {
    for (const name of ['focus', 'pointerenter']) {
      element.addEventListener(name, () => {
        const found = subject();
        if (found) this.onLook(found);
      });
    }
  }
}
