/** What a trigger's body is, by the header that its user gives it: JSON where it gives none. */
export function bodyTypeOf(headers: { name: string; value: string }[]): "json" | "form" | "text" {
  const type = headers.find(({ name }) => name.trim().toLowerCase() === "content-type")?.value.toLowerCase();
  if (type === undefined || /[/+]json\b/.test(type)) return "json";
  return type.includes("x-www-form-urlencoded") ? "form" : "text";
}
