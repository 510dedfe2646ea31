/** Puts the focus on the row of a button that is about to go, so that it does not fall out of the pane. */
export function focusRow(button: HTMLElement): void {
  const row = button.closest<HTMLElement>("[data-index]");
  if (!row) return;
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
}
