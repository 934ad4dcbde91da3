/* The search box and the filters over the matrices. */

function startFinder() {
  const search = document.getElementById('search');
  const boxes = [...document.querySelectorAll('input[name="filter"]')];
  const tables = [...document.querySelectorAll('table.matrix')];
  const found = document.getElementById('found');

  const wanted = (row, texts, tags) => {
    const own = row.dataset.tags.split(' ');
    return texts.every((text) => row.dataset.words.includes(text)) && (!tags.length || tags.some((tag) => own.includes(tag)));
  };

  const sift = () => {
    const texts = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const tags = boxes.filter((box) => box.checked).map((box) => box.value);
    const counts = tables.map((table) => {
      let shown = 0;
      for (const body of table.tBodies) {
        const rows = [...body.querySelectorAll('.row')];
        for (const row of rows) row.hidden = !wanted(row, texts, tags);
        const left = rows.filter((row) => !row.hidden).length;
        body.hidden = left === 0;
        shown += left;
      }
      const wrapper = table.parentElement;
      wrapper.hidden = shown === 0;
      wrapper.nextElementSibling.hidden = shown !== 0;
      const what = table.dataset.what;
      return `${shown} of ${table.querySelectorAll('.row').length} ${what}s`;
    });
    found.textContent = texts.length || tags.length ? `${counts.join(', ')} shown` : '';
  };

  search.addEventListener('input', sift);
  boxes.forEach((box) => box.addEventListener('change', sift));
  document.addEventListener('keydown', (event) => {
    const typing = event.target.closest?.('input, textarea, select');
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && search.offsetParent !== null) {
      event.preventDefault();
      search.focus();
    }
  });
  sift();
}
