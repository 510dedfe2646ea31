type Value = string | number | null;
export type TemplateValues = Record<string, Value>;

export const anyPlaceholder = /\{\{\s*([\w.]+)\s*\}\}/g;
const placeholder = /\{\{\s*([\w.]+)\s*\}\}/y;
const asText = (value: Value) => (value === null ? "" : String(value));

/** What stands behind a placeholder: as a JSON value, and as text within a string. */
type Meaning = { value: unknown; text: string };

/** Fills JSON: inside a string a value is escaped for it, elsewhere it is a JSON value of its own. */
export function fillJsonBy(template: string, meaningOf: (name: string) => Meaning | undefined): string {
  let filled = "";
  let inString = false;
  for (let at = 0; at < template.length; at++) {
    const character = template[at] ?? "";
    placeholder.lastIndex = at;
    const found = character === "{" ? placeholder.exec(template) : null;
    const meaning = found && meaningOf(found[1] ?? "");
    if (found && meaning) {
      filled += inString ? JSON.stringify(meaning.text).slice(1, -1) : JSON.stringify(meaning.value);
      at += found[0].length - 1;
      continue;
    }
    filled += character;
    if (character === '"') inString = !inString;
    else if (character === "\\" && inString) filled += template[++at] ?? "";
  }
  return filled;
}

export function fillJsonTemplate(template: string, values: TemplateValues): string {
  return fillJsonBy(template, (name) => {
    if (!Object.hasOwn(values, name)) return undefined;
    const value = values[name] ?? null;
    return { value, text: asText(value) };
  });
}

/** Fills plain text: values are put in as they are. */
export function fillText(template: string, values: TemplateValues): string {
  return template.replace(anyPlaceholder, (text, name: string) =>
    Object.hasOwn(values, name) ? asText(values[name] ?? null) : text,
  );
}

/** Fills a form's `a=…&b=…`: no value can add a field. */
export function fillForm(template: string, values: TemplateValues): string {
  return template
    .trim()
    .replace(anyPlaceholder, (text, name: string) =>
      Object.hasOwn(values, name) ? encodeURIComponent(asText(values[name] ?? null).toWellFormed()) : text,
    );
}

/** Of a template the first placeholder that stands for nothing. */
export function unknownPlaceholder(template: string, known: object): string | undefined {
  for (const [whole, name = ""] of template.matchAll(anyPlaceholder)) {
    if (!Object.hasOwn(known, name)) return whole;
  }
  return undefined;
}
