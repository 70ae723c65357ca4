"use strict";
// Pages read well without this: it adds hovering, arrow keys and a slider to the vote pictures.
for (const figure of document.querySelectorAll("figure.vote")) {
  // One picture is for wide screens and one for phones; only one of them is shown, and both are kept alike.
  const pictures = [...figure.querySelectorAll("svg.votes")].map((svg) => ({
    svg,
    casts: [...svg.querySelectorAll("a.cast")],
    columns: [...svg.querySelectorAll(".moment")],
    cursor: svg.querySelector(".cursor"),
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
    slider.value = String(place);
    slider.setAttribute("aria-valuetext", said[place]);
    told.textContent = said[place];
    for (const { columns, cursor } of pictures) {
      cursor.setAttribute("transform", `translate(${columns[place].dataset.x})`);
      cursor.setAttribute("visibility", "visible");
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
        next.focus();
        reveal(Number(next.dataset.moment));
      });
    });
  }
}
