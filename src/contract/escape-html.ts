/** Escapes text for use inside an HTML element or a quoted attribute, so that it is never markup. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
