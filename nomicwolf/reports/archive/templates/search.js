"use strict";
// Each line of the index is [where, title, what is said of it, text]; what is found is only ever set as text.
const lines = JSON.parse(document.getElementById("index").textContent);
const hay = lines.map((line) => line.slice(1).join("\n").toLowerCase());
const input = document.getElementById("words");
const found = document.getElementById("found");
const results = document.getElementById("results");
const MOST = 100;

const around = (text, word) => {
  const at = text.toLowerCase().indexOf(word);
  if (at < 0) return "";
  const [from, to] = [Math.max(0, at - 60), Math.min(text.length, at + word.length + 100)];
  return `${from ? "…" : ""}${text.slice(from, to).replace(/\s+/g, " ")}${to < text.length ? "…" : ""}`;
};

const row = ([where, title, said, text], words) => {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = where;
  link.textContent = title;
  const about = document.createElement("span");
  about.className = "faint";
  about.textContent = ` ${said}`;
  item.append(link, about);
  const near = words.map((word) => around(text, word)).find(Boolean);
  if (near) {
    const part = document.createElement("p");
    part.textContent = near;
    item.append(part);
  }
  return item;
};

const search = () => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = words.length ? lines.filter((_, place) => words.every((word) => hay[place].includes(word))) : [];
  const shown = hits.slice(-MOST);
  results.replaceChildren(...shown.map((line) => row(line, words)));
  const more = hits.length > shown.length ? `, of which the last ${shown.length} are shown` : "";
  found.textContent = words.length ? `${hits.length || "Nothing"} found${more}.` : "";
};

document.getElementById("search").hidden = false;
input.addEventListener("input", search);
input.value = new URLSearchParams(location.search).get("q") || "";
search();
input.focus();
