// What a person does with reference pages, in a browser. Everything that is not as it should be is printed, and ends with 1.
//
//   CHROMIUM=PROGRAM node browser.mjs DIR
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const folder = pathToFileURL(process.argv[2] + "/").href;
const files = readdirSync(process.argv[2]).filter((name) => name.endsWith(".html"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
let faults = 0;
let checks = 0;
const expect = (is, what) => {
  checks += 1;
  if (is) return;
  faults += 1;
  console.log("wrong: " + what);
};

async function opened(name, { width = 1600, scheme = "light", script = true } = {}) {
  const page = await browser.newPage();
  page.on("request", (request) => expect(request.url().startsWith(folder), name + " asks for " + request.url()));
  page.on("pageerror", (error) => expect(false, name + ": " + error.message));
  page.on("console", (message) => expect(message.type() !== "error", name + ": " + message.text()));
  await page.setJavaScriptEnabled(script);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.setViewport({ width, height: 900 });
  await page.goto(folder + name);
  return page;
}

const isShown = (page, selector) => page.evaluate((selector) => {
  const all = Array.from(document.querySelectorAll(selector));
  return all.map((one) => one.getClientRects().length > 0);
}, selector);

// Narrow and wide, light and dark, for those who use assistive technology.
for (const name of files) {
  for (const [width, scheme] of [[360, "light"], [1600, "dark"]]) {
    const page = await opened(name, { width, scheme });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over <= 0, `${name} is ${over} px too wide at ${width} px`);
    await page.evaluate(axe);
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const found = await page.evaluate((tags) => globalThis.axe.run(document, { runOnly: tags, preload: false }), tags);
    for (const { id, nodes } of found.violations) expect(false, `${name} at ${width} px: ${id}: ${nodes[0].html.slice(0, 200)}`);
    expect(found.passes.length > 0, name + ": axe-core has compared nothing");
    await page.close();
  }
}

// Without scripts the switch hides what only the other channel has, and nothing else.
for (const name of files) {
  const page = await opened(name, { script: false });
  expect((await isShown(page, "main h1"))[0], name + " shows nothing without scripts");
  if (!(await page.$("#_stable"))) continue;
  for (const [channel, other] of [["stable", "experimental"], ["experimental", "stable"]]) {
    await page.click("#_" + channel);
    const hidden = await isShown(page, `main [data-only=${other}]`);
    expect(!hidden.includes(true), `${name} shows what only ${other} has as part of ${channel}`);
    const around = `main section > ul > [data-only=${channel}]`;
    expect(!(await isShown(page, around)).includes(false), `${name} hides what ${channel} has`);
  }
  await page.close();
}

// The search finds the last field of every page by its path, and leads to it.
const index = await opened("index.html");
for (const name of files) {
  const kind = await opened(name);
  const place = await kind.$$eval("main .fields code.copy, main .path code", (all) => all.at(-1)?.textContent).catch(() => undefined);
  const id = await kind.$$eval("main li[id]", (all) => all.at(-1)?.id).catch(() => undefined);
  await kind.close();
  if (!place || !id) continue;
  const path = id.slice(id.indexOf(".") + 1);
  await index.$eval("#_words", (input) => { input.value = ""; });
  await index.type("#_words", path.replace(/\[\]|\{\}/g, ""));
  const found = await index.$$eval("#_results a", (all) => all.map((link) => link.getAttribute("href")));
  const wanted = found.find((href) => href.startsWith(name) && decodeURIComponent(href.slice(href.indexOf("#") + 1)) === id);
  expect(wanted, `${path} of ${name} is not found among ${found.length}`);
  if (!wanted) continue;
  const page = await opened(wanted);
  const target = await page.evaluate(() => {
    const box = document.querySelector(":target")?.getBoundingClientRect();
    return box && box.height > 0 && box.top >= 0 && box.top < innerHeight;
  });
  expect(target, wanted + " does not show its field");
  await page.close();
}

// The search finds names for kubectl, values, and what was removed, and leads to a place that is there.
{
  const wanted = await index.evaluate(() => {
    const kinds = window.crdChannelsFields;
    const values = kinds.flatMap(([, , , versions]) => versions.flatMap(([, , lines]) => lines.split("\n")))
      .map((line) => line.trim()).filter((line) => line.startsWith('="') && line.length > 4);
    const first = (all) => all.slice(0, 3);
    return [
      ...first(kinds.map(([, , , , names]) => names.split(" ").at(-1))).map((name) => [name, ".html"]),
      ...first(values).map((line) => [line.split("\t")[0].slice(1).replaceAll('"', ""), ".html#"]),
      ...first(window.crdChannelsGone.filter((gone) => gone[3])).map((gone) => [gone[3], "changes.html#_release-"]),
    ];
  });
  for (const [text, href] of wanted) {
    await index.$eval("#_words", (input) => { input.value = ""; });
    await index.type("#_words", text.replace(/\[\]|\{\}/g, ""));
    const found = await index.$$eval("#_results a", (all) => all.map((link) => link.getAttribute("href")));
    const place = found.find((one) => one.includes(href));
    expect(place, `${text} is not found: ${found}`);
    if (!place) continue;
    const page = await opened(place);
    const { hash } = new URL(page.url());
    expect(!hash || await page.$(`[id="${decodeURIComponent(hash.slice(1))}"]`), place + " leads nowhere");
    await page.close();
  }
}

// An update shows the releases after the one that somebody has, up to the one that they want.
if (files.includes("changes.html")) {
  const page = await opened("changes.html");
  const count = (await page.$$("section.release")).length;
  for (const [to, from] of [[0, count], [0, 1], [1, count - 1], [count - 1, count]]) {
    await page.select("#_to", String(to));
    await page.select("#_from", String(from));
    expect((await isShown(page, "section.release")).includes(true), "changes.html shows nothing");
    const shown = await isShown(page, "section.release");
    const wanted = shown.map((_, number) => number >= to && number < from);
    expect(String(shown) === String(wanted), `changes.html shows ${shown} from ${from} to ${to}`);
  }
  await page.close();
}

// The page of a kind leads to what changed in it alone, and the address keeps the choice.
for (const name of files.includes("changes.html") ? files : []) {
  const kind = await opened(name);
  const href = await kind.$$eval("main a", (all) => all.map((link) => link.getAttribute("href")).find((it) => it.startsWith("changes.html?")));
  const title = await kind.$eval("h1", (one) => one.textContent);
  expect(Boolean(href) === Boolean(await kind.$("section.version")), `${name} leads to ${href}`);
  await kind.close();
  if (!href) continue;
  const page = await opened(href);
  const shown = await page.$$eval("section.release [data-kind]", (all) => all.filter((one) => !one.hidden).map((one) => one.dataset.kind.split(".")[0]));
  const has = await page.$$eval("section.release [data-kind]", (all, title) => all.filter((one) => one.dataset.kind.split(".")[0] === title).length, title);
  expect(shown.length === has && shown.every((one) => one === title), `${href} shows ${shown}`);
  await page.select("#_to", "1").catch(() => {});
  expect(has === 0 || page.url().includes("to="), `the address of ${href} does not keep the choice`);
  await page.close();
}

// The pictures of docs/reference-pages.md, if they are asked for.
if (process.env.PICTURES) {
  for (const [picture, place, height] of [
    ["field", "edgeroutes.edge.crd-channels.dev.html#v1.spec.sessionAffinity", 370],
    ["changes", "changes.html", 540],
  ]) {
    const page = await opened(place);
    await page.setViewport({ width: 1100, height });
    await page.evaluate(() => document.querySelector(":target")?.scrollIntoView());
    await page.screenshot({ path: `${process.env.PICTURES}/reference-${picture}.png` });
    await page.close();
  }
}

await browser.close();
console.log(`${files.length} pages, ${checks} checks, ${faults} wrong`);
process.exit(faults > 0 || checks < files.length * 4 ? 1 : 0);
