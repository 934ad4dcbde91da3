/* Which part of the report is shown, by the address: #rule=DS-3&case=1&step=20. */

const overview = document.getElementById('overview');
const dossiers = [...document.querySelectorAll('.dossier')];
const troubled = dossiers.filter((dossier) => Number(dossier.dataset.cases) > 0);
const players = new Map();
const title = document.title;
let active = null;

/* From here on addresses are this script's business: the browser is not to scroll to them. */
for (const dossier of dossiers) {
  dossier.dataset.address = dossier.id;
  dossier.removeAttribute('id');
}

function address() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const kind = ['rule', 'ruling', 'failure'].find((name) => parts.has(name));
  const number = (name) => (/^\d{1,6}$/.test(parts.get(name) ?? '') ? Number(parts.get(name)) : null);
  return { id: kind ? `${kind}=${parts.get(kind)}` : null, case: number('case'), step: number('step') };
}

const linkTo = (dossier) => {
  const [kind, ...rest] = dossier.dataset.address.split('=');
  return `#${kind}=${encodeURIComponent(rest.join('='))}`;
};

/* The player of a case, made when it is first seen. */
function playerOf(details) {
  const place = details.querySelector('.player');
  if (!place) return null;
  if (!players.has(place)) {
    const player = new Player(place, (step) => {
      active = player;
      history.replaceState(null, '', `${linkTo(details.closest('.dossier'))}&case=${details.dataset.case}&step=${step}`);
    });
    players.set(place, player);
    player.go(player.start, true);
    place.addEventListener('focusin', () => { active = player; });
    place.addEventListener('pointerdown', () => { active = player; });
  }
  return players.get(place);
}

function show(moved) {
  const to = address();
  const dossier = dossiers.find((other) => other.dataset.address === to.id) ?? null;
  overview.hidden = dossier !== null;
  for (const other of dossiers) other.hidden = other !== dossier;
  active = null;
  document.title = dossier ? `${dossier.querySelector('h2').textContent.trim()} · ${title}` : title;
  if (!dossier) return;
  drawNeighbours(dossier);
  const cases = [...dossier.querySelectorAll('.case')];
  const chosen = cases.find((details) => Number(details.dataset.case) === to.case) ?? cases[0];
  for (const details of cases) details.open = details === chosen;
  if (chosen) {
    active = playerOf(chosen);
    if (active && to.step !== null) active.go(to.step, true);
  }
  if (moved) {
    dossier.querySelector('h2').focus({ preventScroll: true });
    if (chosen && chosen !== cases[0]) chosen.scrollIntoView();
    else window.scrollTo(0, 0);
  }
  active?.scrollTo(active.items[active.step]);
}

function drawNeighbours(dossier) {
  const place = dossier.querySelector('.neighbours');
  const at = troubled.indexOf(dossier);
  const links = [];
  if (at > 0) links.push(el('a', { href: linkTo(troubled[at - 1]), rel: 'prev' }, '‹ previous violation'));
  if (at >= 0 && at < troubled.length - 1) links.push(el('a', { href: linkTo(troubled[at + 1]), rel: 'next' }, 'next violation ›'));
  place.replaceChildren(...links);
}

function startKeys() {
  document.addEventListener('keydown', (event) => {
    if (!active || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest?.('input, textarea, select, pre, [contenteditable]') && event.target.type !== 'checkbox') return;
    active.key(event);
  });
}

function startCopying() {
  for (const command of document.querySelectorAll('.replay .command')) {
    const button = el('button', { type: 'button' }, 'Copy');
    button.addEventListener('click', async () => {
      const code = command.querySelector('code');
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = 'Copied';
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = 'Selected';
      }
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
    command.append(button);
  }
}

/* On paper everything is open, each duel at the moment where it goes wrong. */
function startPrinting() {
  document.getElementById('print').addEventListener('click', () => window.print());
  window.addEventListener('beforeprint', () => {
    const shown = overview.hidden ? dossiers.filter((dossier) => !dossier.hidden) : troubled;
    for (const dossier of shown) {
      for (const details of dossier.querySelectorAll('details')) {
        details.dataset.wasOpen = details.open;
        details.open = true;
        if (details.matches('.case')) playerOf(details);
      }
    }
  });
  window.addEventListener('afterprint', () => {
    for (const details of document.querySelectorAll('details[data-was-open]')) {
      details.open = details.dataset.wasOpen === 'true';
      delete details.dataset.wasOpen;
    }
  });
}

document.documentElement.classList.add('scripted');
document.querySelector('.tools').hidden = false;
document.querySelector('.finder').hidden = false;
for (const details of document.querySelectorAll('.case')) {
  details.addEventListener('toggle', () => {
    if (details.open && !details.closest('.dossier').hidden) playerOf(details);
  });
}
startTheme();
startFinder();
startKeys();
startCopying();
startPrinting();
show(false);
window.addEventListener('hashchange', () => show(true));
