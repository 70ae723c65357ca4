"use strict";
// Pages read well without this: it adds hovering, arrow keys and a slider to the vote pictures.
for (const figure of document.querySelectorAll("figure.vote")) {
  const svg = figure.querySelector("svg.votes");
  const casts = [...svg.querySelectorAll("a.cast")];
  const moments = [...svg.querySelectorAll(".moment")].map((column) => ({
    x: Number(column.dataset.x),
    said: column.querySelector("title").textContent,
    column,
  }));
  const cursor = svg.querySelector(".cursor");
  const scroller = svg.parentElement;
  const panel = document.createElement("div");
  panel.className = "scrub";
  const label = document.createElement("label");
  const slider = document.createElement("input");
  const told = document.createElement("output");
  slider.type = "range";
  slider.min = "0";
  slider.max = String(moments.length - 1);
  slider.value = slider.max;
  slider.id = `${figure.id}-slider`;
  label.htmlFor = slider.id;
  label.textContent = "Move through the vote";
  told.htmlFor = slider.id;
  told.setAttribute("aria-live", "polite");
  told.textContent = moments.at(-1).said;
  if (moments.length > 1) panel.append(label, slider);
  panel.append(told);
  figure.append(panel);
  // What a pointer or the keyboard is on is told below the picture: the browser's own hint would only lie over it.
  for (const title of svg.querySelectorAll("title")) {
    if (title.parentElement.matches("a.cast")) title.parentElement.setAttribute("aria-label", title.textContent);
    title.remove();
  }

  const light = (cast) => {
    for (const part of figure.querySelectorAll(".hot")) part.classList.remove("hot");
    svg.classList.toggle("lit", Boolean(cast));
    if (!cast) return;
    cast.classList.add("hot");
    svg.querySelector(`.lane${cast.dataset.lane}`)?.classList.add("hot");
    for (const part of svg.querySelectorAll(`.cast${cast.dataset.cast}`)) part.classList.add("hot");
  };
  const show = (place) => {
    const moment = moments[place];
    slider.value = String(place);
    slider.setAttribute("aria-valuetext", moment.said);
    told.textContent = moment.said;
    cursor.setAttribute("transform", `translate(${moment.x})`);
    cursor.setAttribute("visibility", "visible");
  };
  const reveal = (place) => {
    const x = moments[place].x;
    if (x < scroller.scrollLeft + 130 || x > scroller.scrollLeft + scroller.clientWidth - 30) {
      scroller.scrollLeft = x - scroller.clientWidth / 2;
    }
  };
  slider.addEventListener("input", () => {
    const place = Number(slider.value);
    show(place);
    reveal(place);
    light(casts.find((cast) => Number(cast.dataset.moment) === place));
  });
  moments.forEach((moment, place) => moment.column.addEventListener("pointerenter", () => show(place)));
  casts.forEach((cast, index) => {
    cast.setAttribute("tabindex", index ? "-1" : "0");
    for (const event of ["pointerenter", "focus"]) {
      cast.addEventListener(event, () => {
        show(Number(cast.dataset.moment));
        light(cast);
      });
    }
    for (const event of ["pointerleave", "blur"]) cast.addEventListener(event, () => light(null));
    cast.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const next = event.key === "Home" ? casts[0] : event.key === "End" ? casts.at(-1) : casts[index + (step || 0)];
      if (!next || next === cast) return;
      event.preventDefault();
      cast.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
      reveal(Number(next.dataset.moment));
    });
  });
}
