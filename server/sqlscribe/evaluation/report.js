"use strict";
// Everything can be read without this; it only filters and opens.
(() => {
  const form = document.querySelector(".filters");
  const questions = [...document.querySelectorAll("details.question")];
  const count = form.querySelector("output");
  const none = document.querySelector(".none");
  form.hidden = false;

  const wanted = (question) => {
    const { text, arm, verdict, group, which } = Object.fromEntries(new FormData(form));
    const verdicts = JSON.parse(question.dataset.verdicts);
    const shown = arm ? [verdicts[arm]] : Object.values(verdicts);
    const isRight = (one) => one === "right" || one === "recognised";
    if (which === "failures" && shown.every(isRight)) return false;
    if (which === "differ" && new Set(Object.values(verdicts).map(isRight)).size < 2) return false;
    if (verdict && !shown.includes(verdict)) return false;
    if (group && !JSON.parse(question.dataset.groups).includes(group)) return false;
    return !text || question.textContent.toLowerCase().includes(text.toLowerCase());
  };

  const filter = () => {
    let left = 0;
    for (const question of questions) {
      question.hidden = !wanted(question);
      left += question.hidden ? 0 : 1;
    }
    count.textContent = `${left} of ${questions.length}`;
    none.hidden = left > 0;
  };

  const open = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target instanceof HTMLDetailsElement) {
      target.hidden = false;
      target.open = true;
      target.scrollIntoView();
    }
  };

  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", open);
  filter();
  open();
})();
