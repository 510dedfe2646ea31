/** Focuses the row of a button that is about to disappear, so that the focus stays in the pane. */
export function focusRow(button: HTMLElement): void {
  const row = button.closest<HTMLElement>("[data-index]");
  if (!row) return;
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
}
