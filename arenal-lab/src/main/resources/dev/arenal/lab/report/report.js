"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const LEFT = 54, RIGHT = 8, WIDTH = 340;

  /** All charts of a trace show the same moment: what is compared is seen at once. */
  const show = (section, index) => {
    const results = data.results[section.dataset.trace].results;
    const size = (bytes) => bytes === null ? "-" : (bytes / section.dataset.unitBytes).toFixed(1);
    for (const figure of section.querySelectorAll(".chart")) {
      const timeline = results[figure.dataset.result].timeline;
      const cross = figure.querySelector(".cross");
      const output = figure.querySelector("output");
      if (index === null) {
        cross.setAttribute("visibility", "hidden");
        output.textContent = "";
        continue;
      }
      const [operation, used, committed, resident] = timeline[index];
      const last = Math.max(1, timeline[timeline.length - 1][0]);
      const x = LEFT + (WIDTH - LEFT - RIGHT) * operation / last;
      cross.setAttribute("visibility", "visible");
      cross.setAttribute("x1", x);
      cross.setAttribute("x2", x);
      output.textContent = "used " + size(used) + " \u00b7 committed " + size(committed)
        + " \u00b7 resident " + size(resident) + " " + section.dataset.unit;
    }
  };

  for (const section of document.querySelectorAll(".trace")) {
    for (const figure of section.querySelectorAll(".chart")) {
      const svg = figure.querySelector("svg");
      const count = data.results[section.dataset.trace].results[figure.dataset.result].timeline.length;
      const clamp = (index) => Math.min(count - 1, Math.max(0, index));
      let current = 0;
      const move = (event) => {
        const box = svg.getBoundingClientRect();
        const x = (event.clientX - box.left) / box.width * WIDTH;
        current = clamp(Math.round((x - LEFT) / (WIDTH - LEFT - RIGHT) * (count - 1)));
        show(section, current);
      };
      svg.addEventListener("pointerdown", move);
      svg.addEventListener("pointermove", move);
      svg.addEventListener("pointerleave", () => show(section, null));
      svg.addEventListener("blur", () => show(section, null));
      svg.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1, PageDown: -20, PageUp: 20 }[event.key];
        if (step) {
          current = clamp(current + step);
          show(section, current);
          event.preventDefault();
        }
      });
    }
  }

  const save = document.getElementById("save");
  save.hidden = false;
  save.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(data.results)], { type: "application/json" }));
    link.download = "results.json";
    link.click();
    URL.revokeObjectURL(link.href);
  });
})();
