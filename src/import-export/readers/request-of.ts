import { requestMethods, takesBody } from "#contract/request-method.ts";
import { type Draft, shorten } from "./draft.ts";

type GivenRequest = { method: unknown; body: unknown; headers: Draft["headers"] };

const isForm = (text: string) => /^[^\s=&]+=[^\s&]*(&[^\s=&]+=[^\s&]*)*$/.test(text.trim());

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** Translates another tool's request settings; headers that have their own setting here are moved to it. */
export function requestOf(
  { method, body, headers }: GivenRequest,
  left: string[],
): Pick<Draft, "request" | "headers"> {
  const wanted = typeof method === "string" && method !== "" ? method.toUpperCase() : "GET";
  const text = typeof body === "string" ? body : "";
  const valueOf = (name: string) => headers.find((one) => one.name.toLowerCase() === name)?.value ?? "";
  const type = valueOf("content-type");
  const browser = { userAgent: valueOf("user-agent"), language: valueOf("accept-language") };
  const settingHeaders = ["user-agent", "accept-language", "content-type"];
  const others = headers.filter(({ name }) => !settingHeaders.includes(name.toLowerCase()));
  const known = requestMethods.find((one) => one === wanted);
  if (!known)
    left.push(
      `The method ${shorten(wanted, 40)} is left out: pages are requested by ${requestMethods.join(", ")}.`,
    );
  const chosen = known ?? "GET";
  if (!takesBody(chosen) && text !== "") left.push(`The request's body is left out: ${chosen} has none.`);
  const as = /json/i.test(type) || (type === "" && isJson(text)) ? "json" : "form";
  const hasBody = takesBody(chosen) && text !== "";
  if (hasBody && as === "form" && type !== "" && !/form-urlencoded/i.test(type))
    left.push(`The body is sent as a form, not as ${type}.`);
  else if (hasBody && as === "form" && !isForm(text)) left.push("The body is sent as a form.");
  const isPlain = chosen === "GET" && browser.userAgent === "" && browser.language === "";
  const asked = hasBody ? { method: chosen, as: as as "form" | "json", body: text } : { method: chosen };
  return { request: isPlain ? null : { ...asked, ...browser }, headers: others };
}
