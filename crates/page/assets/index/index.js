// The list of sessions: sorts its tables, and finds sessions by their words.

const filter = document.querySelector('.filter');
const none = document.querySelector('.none');
const prompts = JSON.parse(document.getElementById('prompts')?.textContent ?? '[]');

/** The zone that the list was made for; undefined, which is that of the reader, if there is none that is known here. */
function chosenZone() {
  const timeZone = document.documentElement.dataset.zone;
  try {
    new Intl.DateTimeFormat(undefined, { timeZone });
    return timeZone;
  } catch {
    return undefined;
  }
}

const timeZone = chosenZone();
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone });
for (const time of document.querySelectorAll('time[datetime]')) {
  const at = new Date(time.dateTime);
  if (Number.isNaN(at.getTime())) continue;
  time.title = at.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long', timeZone });
  time.textContent = moments.format(at);
}

/** What is compared in a column: a number where there is one. */
function sortKey(row, column) {
  const cell = row.cells[column];
  const number = cell.dataset.sort;
  return number === undefined ? cell.textContent.trim().toLowerCase() : Number(number || -1);
}

/** Sorts a table by the column of a heading, the other way round the second time. */
function sortBy(heading) {
  const table = heading.closest('table');
  const column = heading.cellIndex;
  const isText = heading.classList.contains('title');
  const before = heading.getAttribute('aria-sort');
  const order = before === 'none' ? (isText ? 'ascending' : 'descending') : before === 'ascending' ? 'descending' : 'ascending';
  for (const other of heading.parentElement.cells) other.setAttribute('aria-sort', 'none');
  heading.setAttribute('aria-sort', order);
  const sign = order === 'ascending' ? 1 : -1;
  const rows = [...table.tBodies[0].rows].map((row) => [sortKey(row, column), row]);
  rows.sort(([one], [other]) => sign * (one < other ? -1 : one > other ? 1 : 0));
  table.tBodies[0].append(...rows.map(([, row]) => row));
}

document.addEventListener('click', (event) => {
  const heading = event.target.closest?.('.sessions th');
  if (heading) sortBy(heading);
});

/** Shows the sessions that have all words, in their line or in what was asked. */
function show() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text) => words.every((word) => text.includes(word));
  let shown = 0;
  for (const section of document.querySelectorAll('main > section')) {
    const project = section.querySelector('h2').textContent.toLowerCase();
    let inSection = 0;
    for (const row of section.querySelectorAll('tbody tr')) {
      const title = row.cells[0];
      title.querySelector('.asked')?.remove();
      const line = `${project} ${title.textContent.toLowerCase()}`;
      let asked;
      if (!has(line)) {
        asked = (prompts[row.dataset.row] ?? []).find((prompt) => has(`${line} ${prompt.toLowerCase()}`));
      }
      row.hidden = !has(line) && asked === undefined;
      if (asked !== undefined) {
        const found = document.createElement('p');
        found.className = 'asked';
        found.textContent = asked;
        title.append(found);
      }
      inSection += row.hidden ? 0 : 1;
    }
    section.hidden = inSection === 0;
    shown += inSection;
  }
  none.hidden = shown > 0;
  history.replaceState(null, '', words.length ? `#${encodeURIComponent(filter.value)}` : location.pathname.split('/').pop() || '.');
}

filter.hidden = false;
filter.addEventListener('input', show);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== filter) {
    event.preventDefault();
    filter.focus();
  } else if (event.key === 'Escape' && document.activeElement === filter) {
    filter.value = '';
    show();
  }
});
if (location.hash.length > 1) {
  filter.value = decodeURIComponent(location.hash.slice(1));
  show();
}
document.documentElement.dataset.ready = '';
