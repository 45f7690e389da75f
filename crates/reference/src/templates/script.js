// Extras: pages say everything without this script. It unfolds and folds fields, copies paths, remembers the channel, and searches.
(() => {
  "use strict";
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const make = (name, text, more = {}) => Object.assign(document.createElement(name), { textContent: text }, more);

  // The channel, on all pages. Browsers may forbid to remember it.
  const radios = all("input[name=channel]");
  try {
    const known = radios.find((radio) => radio.value === sessionStorage.getItem("crd-channels-channel"));
    if (known) known.checked = true;
  } catch {}
  radios.forEach((radio) => radio.addEventListener("change", () => {
    try { sessionStorage.setItem("crd-channels-channel", radio.value); } catch {}
    search();
  }));
  const channel = () => radios.find((radio) => radio.checked)?.value ?? "all";

  // Links to fields that are folded away, or of the other channel.
  const reveal = () => {
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch {}
    const place = id && document.getElementById(id);
    if (!place) return;
    const other = place.closest("[data-only]");
    if (other && channel() !== "all" && channel() !== other.dataset.only) {
      radios.forEach((radio) => { radio.checked = radio.value === "all"; });
    }
    const own = place.querySelector(":scope > details");
    if (own) own.open = true;
    for (let up = place.parentElement; up; up = up.parentElement) {
      if (up.localName === "details") up.open = true;
    }
    place.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  // Buttons above each list of fields.
  all(".fields").forEach((fields) => {
    const fold = (open) => all("details", fields).forEach((details) => { details.open = open; });
    const row = make("p", "", { className: "buttons" });
    for (const [text, open] of [["Unfold all", true], ["Fold all", false]]) {
      const button = make("button", text, { type: "button" });
      button.addEventListener("click", () => fold(open));
      row.append(button, " ");
    }
    fields.before(row);
  });
  if (navigator.clipboard) {
    document.addEventListener("toggle", (event) => addCopy(event.target), true);
    const addCopy = (root) => {
      if (!root.open && root.localName === "details") return;
      const own = root.localName === "details" ? ":scope > .path > code" : ".copy, details[open] > .path > code";
      all(own, root).forEach((code) => {
        if (code.nextElementSibling) return;
        const button = make("button", "Copy", { type: "button", className: "small" });
        button.setAttribute("aria-label", "Copy " + code.textContent);
        button.addEventListener("click", () => navigator.clipboard.writeText(code.textContent).then(() => {
          button.textContent = "Copied";
          setTimeout(() => { button.textContent = "Copy"; }, 1500);
        }));
        code.after(" ", button);
      });
    };
    addCopy(document.body);
  }
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    folded.forEach((details) => { details.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach((details) => { details.open = false; }));

  // The releases of an update: those after the one that somebody has, up to the one that they want; of all kinds, or of one. The
  // address has what was chosen, for a link.
  const releases = all("section.release");
  const [from, to, kind] = ["_from", "_to", "_kind"].map((name) => document.getElementById(name));
  if (from && to && kind && releases.length > 1) {
    const names = releases.map((release) => release.querySelector("h2").textContent);
    const options = (select, known) => select.append(...known.map(([value, text]) => make("option", text, { value })));
    const kindOf = (place) => place.dataset.kind.split(".")[0];
    const kinds = Array.from(new Set(all(".release [data-kind]").map(kindOf))).sort();
    options(to, names.map((name, number) => [number, name]));
    options(from, [[releases.length, "the beginning"], ...names.map((name, number) => [number, name]).slice(1).reverse()]);
    options(kind, [["", "all kinds"], ...kinds.map((name) => [name, name])]);
    const none = make("p", "Nothing changed.", { hidden: true });
    none.setAttribute("role", "status");
    releases[0].before(none);
    const show = (event) => {
      // What was chosen last decides where the other one is.
      if (Number(from.value) <= Number(to.value)) {
        if (event?.target === to) from.value = Number(to.value) + 1;
        else to.value = Number(from.value) - 1;
      }
      const wanted = kind.value;
      const isOther = (place) => wanted !== "" && kindOf(place) !== wanted;
      releases.forEach((release, number) => {
        all("[data-kind]", release).forEach((place) => { place.hidden = isOther(place); });
        // Lists of all kinds with the heading above them, and what is said of all kinds together.
        const isEmpty = (list) => wanted !== "" && Array.from(list.children).every((line) => line.hidden || !line.dataset.kind);
        all(":scope > .work, :scope > .others", release).forEach((list) => {
          list.hidden = isEmpty(list);
          list.previousElementSibling.hidden = list.hidden;
        });
        all(":scope > p", release).forEach((said) => { said.hidden = wanted !== ""; });
        const has = wanted === "" || all("[data-kind]", release).some((place) => !place.hidden);
        release.hidden = !has || number < Number(to.value) || number >= Number(from.value);
      });
      none.hidden = releases.some((release) => !release.hidden);
    };
    const chosen = [["from", from], ["to", to], ["kind", kind]];
    const change = (event) => {
      show(event);
      const address = new URL(location.href);
      for (const [name, select] of chosen) {
        const number = Array.from(select.options).findIndex((option) => option.selected);
        if (number === 0) address.searchParams.delete(name);
        else address.searchParams.set(name, select.options[number].textContent);
      }
      try { history.replaceState(null, "", address); } catch {}
    };
    chosen.forEach(([name, select]) => {
      const asked = new URLSearchParams(location.search).get(name);
      const option = Array.from(select.options).find((option) => option.textContent === asked);
      if (option) select.value = option.value;
      select.addEventListener("change", change);
    });
    from.closest("p").hidden = false;
    // Browsers keep what was chosen.
    show();
    if (location.hash) reveal();
  }

  // From a kind to what changed of it.
  const about = document.querySelector("section.version") && document.querySelector("main h1");
  const changes = document.querySelector('.site a[href="changes.html"]');
  if (about && changes) {
    const row = make("p", "");
    row.append(make("a", "What changed in " + about.textContent + ", release by release", { href: "changes.html?kind=" + encodeURIComponent(about.textContent) }));
    document.querySelector("main .about").after(row);
  }

  // Search over kinds, fields and values, and what was removed.
  const words = document.getElementById("_words");
  const kinds = window.crdChannelsFields;
  const MOST = 100;
  let entries = null;
  // The id of a field as pages have it.
  const encoded = (text, kept) => Array.from(text, (c) => {
    const plain = c.charCodeAt(0) < 128 ? /[A-Za-z0-9]/.test(c) || kept.includes(c) : !/[\p{C}\p{Z}]/u.test(c);
    if (plain) return c;
    return Array.from(new TextEncoder().encode(c), (byte) => "~" + byte.toString(16).padStart(2, "0")).join("");
  }).join("");
  const id = (version, path) => encoded(version, "-") + (/^[[{]/.test(path) ? "" : ".") + path.split("{}").map((part) => encoded(part, "._-[]")).join("{}");
  const read = () => {
    const found = [];
    const unquoted = (value) => value.toLowerCase().replace(/^"|"$/g, "");
    const plain = (path) => path.toLowerCase().replace(/\[\]|\{\}/g, "");
    // The table of kinds says which of them only one channel has.
    const lines = all(".kinds tr[data-only]").map((line) => [line.querySelector("a")?.getAttribute("href"), line.dataset.only]);
    const limits = new Map(lines);
    for (const [file, group, kind, versions, names] of kinds) {
      const href = file + ".html";
      const where = " (" + group + ")";
      const limit = limits.get(href);
      found.push({ kind, name: kind, only: limit, href, where, text: plain(kind) });
      for (const name of names.split(" ")) {
        if (name && plain(name) !== plain(kind)) found.push({ kind, name, only: limit, href, where: ", " + kind + where, text: plain(name) });
      }
      for (const [version, limited, lines] of versions) {
        const only = limited || limit;
        const there = " in " + kind + " " + version;
        const place = (path) => href + "#" + encodeURIComponent(id(version, path));
        const above = [];
        for (const line of lines ? lines.split("\n") : []) {
          const depth = line.search(/[^\t]/);
          const around = depth > 0 ? above[depth - 1] : "";
          const rest = line.slice(depth);
          const [name, own] = rest.split("\t");
          if (rest.startsWith("=")) {
            found.push({ kind, name: name.slice(1), only: own ?? only, inside: plain(around), text: unquoted(name.slice(1)), href: place(around), where: " of " + around + there });
            continue;
          }
          const path = around + name;
          above[depth] = path;
          found.push({ kind, name: path, only: own ?? only, path, text: plain(path), href: place(path), where: there });
        }
      }
    }
    for (const [group, kind, version, path, value, only, release, number] of window.crdChannelsGone) {
      const href = "changes.html#_release-" + number;
      const there = " in " + kind + " " + version;
      const when = release === "unreleased" ? ", removed since the last release" : ", removed in " + release;
      if (value !== null) {
        found.push({ kind, name: value, only, inside: plain(path), text: unquoted(value), href, where: " of " + path + there + when });
      } else if (path) {
        found.push({ kind, name: path, only, path, text: plain(path), href, where: there + when });
      } else {
        const name = kind + " " + version;
        found.push({ kind, name, only, text: plain(name), href, where: " (" + group + ")" + when });
      }
    }
    return found;
  };
  // Names that begin with what is wanted come first, then those that have it, then paths.
  const rank = (entry, wanted) => {
    const name = entry.text.slice(entry.text.lastIndexOf(".") + 1);
    if (name === wanted) return entry.path ? 1 : 0;
    if (name.startsWith(wanted)) return entry.path ? 3 : 2;
    return name.includes(wanted) ? 4 : 5;
  };
  function search() {
    if (!words || !kinds) return;
    const asked = words.value.trim().toLowerCase().replace(/\[\]|\{\}/g, "");
    document.getElementById("_found").hidden = !asked;
    if (!asked) return;
    entries ??= read();
    const parts = asked.split(/\s+/);
    const wanted = parts[parts.length - 1];
    const text = (entry) => [entry.kind.toLowerCase(), entry.inside, entry.text].filter(Boolean).join(".");
    const found = entries.filter((entry) => {
      if (entry.only && channel() !== "all" && channel() !== entry.only) return false;
      // The name of a channel finds what only it has.
      if (!parts.every((part) => part === entry.only || text(entry).includes(part))) return false;
      return parts.includes(entry.only) || entry.text.includes(wanted) || (entry.path && asked.includes("."));
    });
    found.sort((one, other) => rank(one, wanted) - rank(other, wanted) || one.text.length - other.text.length);
    const shown = found.slice(0, MOST).map((entry) => {
      const item = document.createElement("li");
      item.append(make("a", entry.name, { href: entry.href }), make("span", entry.where + (entry.only ? ", " + entry.only + " only" : "")));
      return item;
    });
    const more = found.length > MOST ? "; the first " + MOST + " are shown" : "";
    document.getElementById("_count").textContent = found.length + (found.length === 1 ? " place" : " places") + more;
    document.getElementById("_results").replaceChildren(...shown);
  }
  if (words && kinds) {
    document.getElementById("_search").hidden = false;
    words.addEventListener("input", search);
    words.form.addEventListener("submit", (event) => event.preventDefault());
    search();
  }
})();
