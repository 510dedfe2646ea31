/** The type of a trigger's body, from the Content-Type header that the user set; JSON if there is none. */
export function bodyTypeOf(headers: { name: string; value: string }[]): "json" | "xml" | "form" | "text" {
  const type = headers.find(({ name }) => name.trim().toLowerCase() === "content-type")?.value.toLowerCase();
  if (type === undefined || /[/+]json\b/.test(type)) return "json";
  if (/[/+](xml|html)\b/.test(type)) return "xml";
  return type.includes("x-www-form-urlencoded") ? "form" : "text";
}
