// Shows what the page carries as data: findings, files and rules, as they are asked for; sorts tables.
// Shows the JSON in #data as text nodes; nothing of it is ever parsed as HTML.
(async function () {
  "use strict";
  const PAGE = 50;
  const PRINTED = 300;

  // The data: as it is, or compressed, as large reports have it.
  async function read(node) {
    if (!node.dataset.encoding) return JSON.parse(node.textContent);
    const bytes = Uint8Array.from(atob(node.textContent), (character) => character.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(node.dataset.encoding));
    return new Response(unpacked).json();
  }

  if (typeof DecompressionStream === "undefined" && document.getElementById("data").dataset.encoding) {
    document.getElementById("too-old").hidden = false;
    return;
  }
  const data = await read(document.getElementById("data"));
  const at = {};
  for (const [kind, names] of Object.entries(data.columns)) {
    at[kind] = Object.fromEntries(names.map((name, index) => [name, index]));
  }
  const F = at.finding, P = at.file, R = at.rule;
  // blocks of columns, as they compress best -> rows
  data.findings = data.findings.flatMap((block) => block[0].map((_, index) => block.map((column) =>
    typeof column === "string" ? column.substr(index * data.digits, data.digits) : column[index])));
  data.findings.forEach((row, index) => {  // a line is counted from the finding before it in the same file
    const before = data.findings[index - 1];
    if (before && before[F.file] === row[F.file]) row[F.line] += before[F.line];
  });
  for (const [index, rest] of Object.entries(data.longer)) data.findings[index][F.fingerprint] += rest;
  // A part of the source around a finding is how many lines of its file it shows, or the numbers of other texts. Lines
  // are counted by file and number: 0 is the next text, another number is a text again.
  const source = data.files.map(() => new Map());
  const shown = (row, kind) => {
    const counts = ["above", "before", "below"].map((part) => row[F[part]].length ?? row[F[part]]);
    const first = row[F.line] + { above: -counts[0], before: 0, below: counts[1] }[kind];
    return typeof row[F[kind]] === "number" ? Array.from({ length: row[F[kind]] }, (_, index) => first + index) : [];
  };
  for (const row of data.findings) {
    for (const kind of ["above", "before", "below"]) {
      for (const line of shown(row, kind)) source[row[F.file]].set(line, "");
    }
  }
  let next = 0, place = 0;
  for (const lines of source) {
    for (const line of [...lines.keys()].sort((a, b) => a - b)) {
      const again = data.repeated[place++];
      lines.set(line, data.lines[again ? again - 1 : next++]);
    }
  }
  for (const row of data.findings) {
    const texts = ["above", "before", "below"].map((kind) => typeof row[F[kind]] === "number"
      ? shown(row, kind).map((line) => source[row[F.file]].get(line)) : row[F[kind]].map((line) => data.lines[line]));
    [row[F.above], row[F.before], row[F.below]] = texts.map((part) => part.join("\n"));
    const before = row[F.before], fix = row[F.after];
    row[F.after] = fix ? before.slice(0, fix[0]) + fix[2] + before.slice(before.length - fix[1]) : "";
  }
  const SAID = { automatic: "automatic", review: "review (--unsafe)", manual: "manual" };
  const byId = (id) => document.getElementById(id);
  const number = (value) => value.toLocaleString("en-US");
  const group = (rule) => data.rules[rule][R.id].split("/", 1)[0];

  function make(tag, options, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(options || {})) {
      if (name === "class") node.className = value;
      else node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== null && child !== ""));
    return node;
  }

  // Prose in which `code` is code.
  function marked(text) {
    return text.split(/`([^`]+)`/).map((piece, index) => (index % 2 ? make("code", {}, piece) : piece));
  }

  // A line of a file on the page of its forge, where the report knows one; else null.
  function forge(path, line) {
    if (!data.forge) return null;
    const [before, mark] = data.forge;
    const where = path.split("/").map(encodeURIComponent).join("/");
    return make("a", { href: `${before}${where}${mark}${line}`, rel: "noreferrer noopener" }, "source");
  }

  function link(kind, name, text) {
    return make("a", { href: `#${kind}=${encodeURIComponent(name)}` }, text === undefined ? name : text);
  }

  function tag(word, said) {
    return make("span", { class: `tag ${word}` }, said || word);
  }

  const lines = (text) => (text ? text.split("\n") : []);

  // The source around a place, and what its fix makes of it, with line numbers.
  function change(row) {
    const block = make("div", { class: "change", tabindex: "0", role: "group", "aria-label": "Source lines" });
    const pre = make("pre");
    const above = lines(row[F.above]), before = lines(row[F.before]), below = lines(row[F.below]);
    const first = row[F.line] - above.length;
    const width = String(row[F.line] + before.length + below.length).length;
    const numbered = (sign, text, at) => `${String(at === null ? "" : at).padStart(width)} ${sign} ${text}`;
    const show = (tag, kind, sign, texts, from) => texts.map((text, index) =>
      make(tag, kind ? { class: kind } : {}, numbered(sign, text, from === null ? null : from + index)));
    const far = row[F.elsewhere], automatic = data.settled[row[F.settled]] !== "manual";
    const fixed = row[F.after] || (automatic && far === 0);
    pre.append(
      ...show("span", "near", " ", above, first),
      ...(fixed ? show("del", "", "-", before, row[F.line]) : show("span", "at", ">", before, row[F.line])),
      ...show("ins", "", "+", lines(row[F.after]), null),
      ...show("span", "near", " ", below, row[F.line] + before.length),
      ...(far ? show("ins", "", "+", lines(far), null) : []));
    block.append(pre);
    return block;
  }

  // One finding, and the places of those that are equal to it.
  function finding([row, ...equal]) {
    const path = data.files[row[F.file]][P.path];
    const rule = data.rules[row[F.rule]][R.id];
    const settled = data.settled[row[F.settled]];
    const item = make("li", { "data-finding": row[F.fingerprint] });
    const permalink = link("finding", row[F.fingerprint], "link");
    permalink.setAttribute("aria-label", `Link to the finding at ${path}:${row[F.line]}:${row[F.column]}`);
    const source = forge(path, row[F.line]);
    if (source) source.setAttribute("aria-label", `Source of ${path}, line ${row[F.line]}`);
    item.append(
      make("h2", {}, link("file", path), make("span", { class: "line" }, `:${row[F.line]}:${row[F.column]} `),
        permalink, ...(source ? [" ", source] : [])),
      make("p", { class: "tags" }, tag(data.outcomes[row[F.outcome]]), tag("", SAID[settled]),
        tag("", `effort: ${data.efforts[row[F.effort]]}`), tag("", `support: ${data.supports[row[F.support]]}`),
        link("rule", rule)),
      make("p", {}, ...marked(data.messages[row[F.message]])),
      change(row),
    );
    if (row[F.trace].length) {
      item.append(make("ol", { class: "line" }, ...row[F.trace].map((step) => make("li", {}, ...marked(step)))));
    }
    if (!row[F.after] && settled !== "manual") {
      const said = row[F.elsewhere] === 0 ? "The fix removes the line." : row[F.elsewhere]
        ? "The fix writes this elsewhere in the file." : "The fix removes text elsewhere in the file.";
      item.append(make("p", { class: "line" }, said));
    }
    if (equal.length) {
      const places = equal.map((other) => make("li", {}, link("finding", other[F.fingerprint],
        `${data.files[other[F.file]][P.path]}:${other[F.line]}`)));
      item.append(make("details", {}, make("summary", {}, `${number(equal.length)} more like it`),
        make("ul", { class: "plain" }, ...places)));
    }
    return item;
  }

  // Findings that say the same, of one rule and settled in one way, are one entry with several places.
  function collapsed(rows) {
    const found = new Map();
    for (const row of rows) {
      const key = `${row[F.rule]} ${row[F.message]} ${row[F.settled]}`;
      if (found.has(key)) found.get(key).push(row);
      else found.set(key, [row]);
    }
    return [...found.values()];
  }

  // One page of a list, with its buttons.
  function pager(list, back, next, page, redraw) {
    const state = { rows: [], page: 0 };
    const pages = () => Math.max(1, Math.ceil(state.rows.length / PAGE));
    function draw() {
      state.page = Math.min(Math.max(state.page, 0), pages() - 1);
      const start = state.page * PAGE;
      byId(list).replaceChildren(...state.rows.slice(start, start + PAGE).map(finding));
      byId(page).textContent = `Page ${state.page + 1} of ${number(pages())}`;
      byId(back).disabled = state.page === 0;
      byId(next).disabled = state.page >= pages() - 1;
    }
    function turn(by) {
      state.page += by;
      draw();
      if (redraw) redraw();
      window.scrollTo(0, 0);
    }
    byId(back).addEventListener("click", () => turn(-1));
    byId(next).addEventListener("click", () => turn(1));
    return { show(rows, first) { state.rows = rows; state.page = first || 0; draw(); }, page: () => state.page };
  }

  // Findings with filters ------------------------------------------------------------------------------------------
  const filters = ["q", "area", "group", "outcome", "settled", "effort"];
  const findings = pager("list", "back", "next", "page", () => remember());
  let words = null;
  let waiting = 0;

  function searchable(index) {
    if (words === null) words = new Array(data.findings.length);
    if (words[index] === undefined) {
      const row = data.findings[index];
      const rule = data.rules[row[F.rule]];
      words[index] = [data.files[row[F.file]][P.path], rule[R.id], rule[R.library], data.messages[row[F.message]],
        row[F.before], row[F.after]].join("\n").toLowerCase();
    }
    return words[index];
  }

  function filled(select, values, said) {
    byId(select).append(...values.map((value) => make("option", { value }, said ? said[value] : value)));
  }

  function filtered() {
    const [q, area, wanted, outcome, settled, effort] = filters.map((name) => byId(name).value);
    const pieces = q.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (row) => !settled || data.settled[row[F.settled]] === settled ||
      (settled === "left" && data.settled[row[F.settled]] !== "automatic");
    return data.findings.filter((row, index) =>
      (!area || data.rules[row[F.rule]][R.area] === area) && (!wanted || group(row[F.rule]) === wanted) &&
      (!outcome || data.outcomes[row[F.outcome]] === outcome) && fits(row) &&
      (!effort || data.efforts[row[F.effort]] === effort) &&
      pieces.every((piece) => searchable(index).includes(piece)));
  }

  function search(first) {
    const rows = filtered();
    const entries = collapsed(rows);
    findings.show(entries, first);
    const all = data.findings.length;
    const kinds = entries.length < rows.length ? `, ${number(entries.length)} different` : "";
    const noun = all === 1 ? "finding" : "findings";
    byId("count").textContent = rows.length === all ? `${number(all)} ${noun}${kinds}, worst first`
      : `${number(rows.length)} of ${number(all)} ${noun}${kinds}, worst first`;
  }

  function remember() {
    const said = new URLSearchParams();
    for (const name of filters) if (byId(name).value) said.set(name, byId(name).value);
    if (findings.page()) said.set("page", findings.page() + 1);
    const query = said.toString();
    history.replaceState(null, "", `#findings${query ? `?${query}` : ""}`);
  }

  function recall(query) {
    const said = new URLSearchParams(query);
    for (const name of filters) byId(name).value = said.get(name) || "";
    search(Number(said.get("page") || 1) - 1);
  }

  function filter() { search(0); remember(); }

  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", () => setTimeout(filter, 0));
  byId("filters").addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, event.target.id === "q" ? 150 : 0);
  });
  filled("area", Object.keys(data.areas).filter((key) => data.rules.some((rule) => rule[R.area] === key)), data.areas);
  filled("group", [...new Set(data.rules.map((_, index) => group(index)))].sort());
  filled("outcome", data.outcomes);
  filled("effort", data.efforts);

  // Tables: sorted by a click on a head; on a phone each row is a card whose cells say what they are ------------------
  function labelled(table) {
    const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
    table.setAttribute("role", "table");
    for (const row of table.rows) {
      row.setAttribute("role", "row");
      for (const [index, cell] of [...row.cells].entries()) {
        const inHead = row.parentElement.tagName === "THEAD";
        cell.setAttribute("role", inHead ? "columnheader" : cell.tagName === "TH" ? "rowheader" : "cell");
        if (!inHead && cell.tagName === "TD") cell.dataset.label = heads[index] || "";
      }
    }
  }

  function value(row, index) {
    const cell = row.cells[index];
    const said = cell.dataset.sort === undefined ? cell.textContent.trim() : cell.dataset.sort;
    const found = /^-?[\d,]*\.?\d+/.exec(said);
    return found ? Number(found[0].replace(/,/g, "")) : said.toLowerCase();
  }

  function sortable(table) {
    for (const [index, head] of [...table.tHead.rows[0].cells].entries()) {
      if (head.classList.contains("nosort")) continue;
      const button = make("button", { type: "button" }, ...head.childNodes);
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") === "descending" ||
          (!head.classList.contains("figure") && !head.hasAttribute("aria-sort"));
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const rows = [...table.tBodies[0].rows].map((row) => [value(row, index), row]);
        rows.sort(([a], [b]) => (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? 1 : -1));
        if (!up) rows.reverse();
        table.tBodies[0].append(...rows.map(([, row]) => row));
      });
    }
  }

  // Files and rules ------------------------------------------------------------------------------------------------
  const ROWS = 500;

  function table(kind, rows, text, cells) {
    const draw = () => {
      const q = byId(`${kind}-q`).value.toLowerCase();
      const kept = rows.filter((row) => text(row).toLowerCase().includes(q));
      byId(`${kind}-rows`).replaceChildren(...kept.slice(0, ROWS).map((row) => make("tr", {}, ...cells(row))));
      labelled(byId(`${kind}-table`));
      const more = kept.length > ROWS ? `; the first ${ROWS} are shown, search for the others` : "";
      byId(`${kind}-count`).textContent = `${number(kept.length)} of ${number(rows.length)} ${kind}${rows.length === 1 ? "" : "s"}${more}`;
    };
    byId(`${kind}-q`).addEventListener("input", draw);
    byId(`${kind}-q`).form.addEventListener("submit", (event) => event.preventDefault());
    return draw;
  }

  const head = (...inside) => make("th", { scope: "row" }, ...inside);
  const count = (value) => make("td", { class: "figure" }, typeof value === "number" ? number(value) : value);
  const text = (value) => make("td", { class: "long" }, value);
  const drawFiles = table("file", data.files, (row) => row[P.path], (row) => [
    head(link("file", row[P.path])), count(row[P.days]), count(row[P.automatic]), count(row[P.review]),
    count(row[P.manual]), make("td", {}, tag(data.outcomes[row[P.worst]]))]);
  const drawRules = table("rule", data.rules, (row) => `${row[R.id]}\n${row[R.title]}`, (row) => [
    head(link("rule", row[R.id])), text(row[R.title]), count(row[R.automatic]), count(row[R.review]),
    count(row[R.manual]), count(row[R.days]), make("td", {}, data.supports[row[R.support]]), make("td", {}, tag(data.outcomes[row[R.outcome]]))]);

  // One file, one rule, one finding --------------------------------------------------------------------------------
  const detail = pager("detail-list", "detail-back", "detail-next", "detail-page");

  function facts(pairs) {
    const kept = pairs.filter(([, value]) => value !== "" && value !== null);
    return make("dl", { class: "facts" }, ...kept.map(([name, value]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, typeof value === "number" ? number(value) : value))));
  }

  function opened(title, parts, rows, chosen) {
    byId("detail-title").textContent = title;
    byId("detail-facts").replaceChildren(...parts);
    detail.show(rows, chosen ? Math.floor(rows.findIndex((entry) => entry.includes(chosen)) / PAGE) : 0);
    return title;
  }

  function openFile(path, chosen) {
    const index = data.files.findIndex((row) => row[P.path] === path);
    if (index < 0) return opened(`No file ${path}`, [], []);
    const file = data.files[index];
    const rows = data.findings.filter((row) => row[F.file] === index);
    rows.sort((a, b) => a[F.line] - b[F.line] || a[F.column] - b[F.column]);
    const parts = [facts([["Lines", file[P.lines]], ["Automatic", file[P.automatic]], ["Review", file[P.review]],
      ["Manual", file[P.manual]], ["Engineer-days", file[P.days]]])];
    return opened(path, parts, rows.map((row) => [row]), chosen);
  }

  function openRule(id) {
    const index = data.rules.findIndex((row) => row[R.id] === id);
    if (index < 0) return opened(`No finding of rule ${id}`, [], []);
    const rule = data.rules[index];
    const parts = [
      make("p", {}, ...marked(rule[R.title])),
      make("p", { class: "tags" }, tag(data.outcomes[rule[R.outcome]]), " ", tag("", `support: ${data.supports[rule[R.support]]}`)),
      ...rule[R.notes].split(/\n\n+|\n(?=Do:|Source:)/).map((part) => make("p", {}, ...marked(part.replace(/\n/g, " ")))),
      facts([["Automatic", rule[R.automatic]], ["Review", rule[R.review]], ["Manual", rule[R.manual]],
        ["Engineer-days", rule[R.days]], ["Library", rule[R.library]], ["Since ROCm", rule[R.since]]]),
    ].filter(Boolean);
    return opened(id, parts, collapsed(data.findings.filter((row) => row[F.rule] === index)));
  }

  function openFinding(fingerprint) {
    // a page has as many digits as tell its findings apart; a link may have all of them
    const row = data.findings.find((found) => found[F.fingerprint] && fingerprint.startsWith(found[F.fingerprint]));
    if (!row) return opened(`No finding ${fingerprint}`, [], []);
    const title = openFile(data.files[row[F.file]][P.path], row);
    const item = [...byId("detail-list").children].find((node) => node.dataset.finding === row[F.fingerprint]);
    if (item) setTimeout(() => item.scrollIntoView({ block: "center" }), 0);
    return title;
  }

  // Views ----------------------------------------------------------------------------------------------------------
  const views = ["overview", "findings", "files", "rules", "detail"];
  const base = document.title;

  function decoded(text) {
    try { return decodeURIComponent(text); } catch { return text; }
  }

  function route(first) {
    const hash = location.hash.slice(1);
    const [, kind, name] = /^(file|rule|finding)=([^]*)$/.exec(hash) || [];
    const [place, query] = hash.split(/\?([^]*)/);
    let view = views.includes(place) && place !== "detail" ? place : "overview";
    const part = view === "overview" && /^[a-z-]+$/.test(hash) ? document.querySelector(`#overview #${hash}`) : null;
    let title = "";
    if (kind) {
      view = "detail";
      title = { file: openFile, rule: openRule, finding: openFinding }[kind](decoded(name));
    }
    for (const other of views) byId(other).hidden = other !== view;
    for (const anchor of document.querySelectorAll(".bar nav a")) {
      if (anchor.hash === `#${view}`) anchor.setAttribute("aria-current", "page");
      else anchor.removeAttribute("aria-current");
    }
    if (view === "findings") recall(query || "");
    if (view === "files") drawFiles();
    if (view === "rules") drawRules();
    document.title = title ? `${title} - ${base}` : base;
    if (!first) {
      if (part) part.scrollIntoView();
      else if (kind !== "finding") window.scrollTo(0, 0);
      byId("main").focus({ preventScroll: true });
    }
  }

  // Theme and paper ------------------------------------------------------------------------------------------------
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const button = byId("theme");

  function isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen === "dark" || (chosen === "auto" && dark.matches);
  }

  function themed() {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark() ? "Use light colors" : "Use dark colors");
  }

  for (const found of document.querySelectorAll("table.sortable")) sortable(found);
  for (const found of document.querySelectorAll("#overview table")) labelled(found);
  button.hidden = false;
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    themed();
  });
  dark.addEventListener("change", themed);
  let chosen = "auto";
  window.addEventListener("beforeprint", () => {
    const left = data.findings.filter((row) => data.settled[row[F.settled]] !== "automatic");
    const title = left.length > PRINTED ? `The first ${PRINTED} of ${number(left.length)} findings to review or change`
      : "Findings to review or change";
    if (left.length) {
      byId("printed").replaceChildren(make("h2", {}, title),
        make("ol", { class: "list" }, ...left.slice(0, PRINTED).map((row) => finding([row]))));
    }
    chosen = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
  });
  window.addEventListener("afterprint", () => {
    byId("printed").replaceChildren();
    document.documentElement.dataset.theme = chosen;
    themed();
  });
  window.addEventListener("hashchange", () => route(false));
  route(true);
  themed();
  document.documentElement.dataset.ready = "true";
})();
