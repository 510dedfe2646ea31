// Prepares the step's element for typing, or sets its value where typing isn't how it is filled. Returns whether the
// value still has to be typed, and a reason if that isn't possible.
export const fillElement = ({ value, isSecret, atOnce }) => {
  const element = globalThis[Symbol.for("step-element")];
  const changed = () => {
    for (const type of ["input", "change"])
      element.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  };
  if (isSecret) (globalThis[Symbol.for("secret-elements")] ??= new Set()).add(element);
  if (element instanceof HTMLSelectElement) {
    const squeeze = (words) => words.replace(/\s+/g, " ").trim();
    const options = [...element.options];
    const option =
      options.find((each) => each.value === value) ??
      options.find((each) => squeeze(each.label) === squeeze(value));
    if (!option) return { types: false, reason: "The list has no such entry." };
    element.value = option.value;
    changed();
    return { types: false };
  }
  const isEditable = element.isContentEditable;
  if (!isEditable && !(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement))
    return { types: false, reason: "Nothing can be entered in this element." };
  if (element.disabled || element.readOnly) return { types: false, reason: "The field can’t be edited." };
  if (/^(checkbox|radio)$/.test(element.type ?? "")) {
    const wanted = value === "" || value === "false" || value === "off" ? false : true;
    if (element.checked !== wanted) element.click();
    return { types: false };
  }
  if (element.type === "file") return { types: false, reason: "Files can’t be chosen." };
  if (/^(date|datetime-local|month|week|time|color|range)$/.test(element.type ?? "")) {
    element.focus();
    element.value = value;
    changed();
    return { types: false };
  }
  element.focus();
  if (isEditable) getSelection().selectAllChildren(element);
  else element.select();
  // Keys go to whatever has the focus, which another frame may grab between two of them.
  if (atOnce && document.execCommand("insertText", false, value)) return { types: false, isInserted: true };
  return { types: true, isEmpty: (isEditable ? element.textContent : element.value) === "" };
};
