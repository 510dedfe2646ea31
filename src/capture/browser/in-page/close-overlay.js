// Closes what lies over the middle of the page: by its own button, else by taking it away. Returns what was done.
export const closeOverlay = () => {
  const middle = () => document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  const coverOf = (element) => {
    let cover = null;
    for (
      let at = element;
      at && at !== document.body && at !== document.documentElement;
      at = at.parentElement
    ) {
      const { position } = getComputedStyle(at);
      const isModal = at.matches("dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]");
      if (position === "fixed" || position === "sticky" || isModal) cover = at;
    }
    return cover;
  };
  const dialogs = [...document.querySelectorAll("dialog[open],[role=dialog],[aria-modal=true]")];
  const cover = coverOf(middle()) ?? dialogs.find((dialog) => dialog.checkVisibility());
  if (!cover) return "none";
  const scope = [cover, ...dialogs.filter((dialog) => dialog.checkVisibility())];
  const labels =
    /^(×|✕|✖|x|close|dismiss|no,? thanks|not now|schlie(ß|ss)en|fermer|cerrar|chiudi|sluiten|zamknij)$/i;
  const labelOf = (button) =>
    (button.getAttribute("aria-label") ?? button.title ?? "").trim() || (button.textContent ?? "").trim();
  const buttons = scope.flatMap((box) => [...box.querySelectorAll("button,[role=button],a[href='#']")]);
  const button = buttons.find((each) => {
    const label = labelOf(each);
    return each.checkVisibility() && (labels.test(label) || /^close\b|\bclose$/i.test(label));
  });
  if (button) {
    button.click();
    return "clicked";
  }
  cover.remove();
  for (const root of [document.documentElement, document.body]) {
    if (root && getComputedStyle(root).overflow === "hidden")
      root.style.setProperty("overflow", "auto", "important");
  }
  return "removed";
};
