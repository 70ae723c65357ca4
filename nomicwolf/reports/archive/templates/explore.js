"use strict";
const SVG = "http://www.w3.org/2000/svg";
let count = 0;
// What grows with time is cut off at a line that the slider moves; returned is the part of it that is moved.
const clipped = (svg) => {
  const clip = document.createElementNS(SVG, "clipPath");
  const rect = document.createElementNS(SVG, "rect");
  clip.id = `clip-${(count += 1)}`;
  for (const [name, value] of [["x", 0], ["y", 0], ["height", "100%"], ["width", "100%"]]) rect.setAttribute(name, value);
  clip.append(rect);
  svg.append(clip);
  for (const part of svg.querySelectorAll(".grown")) part.setAttribute("clip-path", `url(#${clip.id})`);
  return rect;
};
// Pages read well without this: it adds hovering, arrow keys and a slider to the vote pictures.
for (const figure of document.querySelectorAll("figure.vote")) {
  // One picture is for wide screens and one for phones; only one of them is shown, and both are kept alike.
  const pictures = [...figure.querySelectorAll("svg.votes")].map((svg) => ({
    svg,
    casts: [...svg.querySelectorAll("a.cast")],
    columns: [...svg.querySelectorAll(".moment")],
    cursor: svg.querySelector(".cursor"),
    clip: clipped(svg),
    labels: [...svg.querySelectorAll(".label")].map((label) => ({
      label, name: label.textContent.replace(/ \d+$/, ""), votes: label.dataset.votes.split(" "),
    })),
  }));
  const said = pictures[0].columns.map((column) => column.querySelector("title").textContent);
  const scroller = pictures[0].svg.parentElement;
  const panel = document.createElement("div");
  panel.className = "scrub";
  const label = document.createElement("label");
  const slider = document.createElement("input");
  const told = document.createElement("output");
  slider.type = "range";
  slider.min = "0";
  slider.max = String(said.length - 1);
  slider.value = slider.max;
  slider.id = `${figure.id}-slider`;
  label.htmlFor = slider.id;
  label.textContent = "Move through the vote";
  told.htmlFor = slider.id;
  told.setAttribute("aria-live", "polite");
  told.textContent = said.at(-1);
  if (said.length > 1) panel.append(label, slider);
  panel.append(told);
  figure.append(panel);
  // What a pointer or the keyboard is on is told below the picture: the browser's own hint would only lie over it.
  for (const title of figure.querySelectorAll("svg.votes title")) {
    if (title.parentElement.matches("a.cast")) title.parentElement.setAttribute("aria-label", title.textContent);
    title.remove();
  }

  const light = (number) => {
    for (const part of figure.querySelectorAll(".hot")) part.classList.remove("hot");
    for (const { svg, casts } of pictures) {
      const cast = casts.find((found) => found.dataset.cast === number);
      svg.classList.toggle("lit", Boolean(cast));
      if (!cast) continue;
      cast.classList.add("hot");
      svg.querySelector(`.lane${cast.dataset.lane}`)?.classList.add("hot");
      for (const part of svg.querySelectorAll(`.cast${number}`)) part.classList.add("hot");
    }
  };
  const show = (place) => {
    slider.setAttribute("aria-valuetext", said[place]);
    told.textContent = said[place];
    for (const { columns, cursor } of pictures) {
      cursor.setAttribute("transform", `translate(${columns[place].dataset.x})`);
      cursor.setAttribute("visibility", "visible");
    }
  };
  // The slider shows the table as it stood: what came later is hidden, and the labels tell the votes of then.
  const rewind = (place) => {
    for (const { svg, columns, clip, labels } of pictures) {
      const last = place === said.length - 1;
      clip.setAttribute("width", last ? "100%" : String(Number(columns[place].dataset.x) + 1));
      for (const part of svg.querySelectorAll("[data-moment]")) {
        part.setAttribute("visibility", Number(part.dataset.moment) > place ? "hidden" : "visible");
      }
      for (const { label, name, votes } of labels) {
        label.textContent = `${name} ${votes[place]}`;
        label.setAttribute("visibility", last || votes[place] !== "0" ? "visible" : "hidden");
      }
    }
  };
  const reveal = (place) => {
    const shown = pictures.find(({ svg }) => svg.getBoundingClientRect().width) || pictures[0];
    const x = Number(shown.columns[place].dataset.x);
    if (x < scroller.scrollLeft + 130 || x > scroller.scrollLeft + scroller.clientWidth - 30) {
      scroller.scrollLeft = x - scroller.clientWidth / 2;
    }
  };
  slider.addEventListener("input", () => {
    const place = Number(slider.value);
    show(place);
    rewind(place);
    reveal(place);
    light(pictures[0].casts.find((cast) => Number(cast.dataset.moment) === place)?.dataset.cast);
  });
  for (const { casts, columns } of pictures) {
    columns.forEach((column, place) => column.addEventListener("pointerenter", () => show(place)));
    casts.forEach((cast, index) => {
      cast.setAttribute("tabindex", index ? "-1" : "0");
      for (const event of ["pointerenter", "focus"]) {
        cast.addEventListener(event, () => {
          show(Number(cast.dataset.moment));
          light(cast.dataset.cast);
        });
      }
      for (const event of ["pointerleave", "blur"]) cast.addEventListener(event, () => light());
      cast.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        const next = event.key === "Home" ? casts[0] : event.key === "End" ? casts.at(-1) : casts[index + (step || 0)];
        if (!next || next === cast) return;
        event.preventDefault();
        cast.setAttribute("tabindex", "-1");
        next.setAttribute("tabindex", "0");
        if (next.getAttribute("visibility") === "hidden") {
          slider.value = next.dataset.moment;
          rewind(Number(slider.value));
        }
        next.focus();
        reveal(Number(next.dataset.moment));
      });
    });
  }
}
