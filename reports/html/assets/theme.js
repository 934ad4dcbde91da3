/* Light, dark, or as the system has it; remembered where the browser lets a page from disk remember anything. */

const THEMES = ['auto', 'light', 'dark'];

function remembered() {
  try {
    const theme = localStorage.getItem('duelproof-theme');
    return THEMES.includes(theme) ? theme : 'auto';
  } catch {
    return 'auto';
  }
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  document.getElementById('theme').textContent = `Theme: ${theme}`;
  try {
    localStorage.setItem('duelproof-theme', theme);
  } catch {
    /* A page that may not remember still changes. */
  }
}

function startTheme() {
  let theme = remembered();
  setTheme(theme);
  document.getElementById('theme').addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    setTheme(theme);
  });
}
