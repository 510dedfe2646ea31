import type { NoiseReason } from "../verdict.ts";
import { maskTokens } from "./tokens.ts";
import { maskUrl } from "./urls.ts";

const version = /([?&](?:v|ver|version|rev|hash|build|cb|ts?|_)=)[^"&\s]*/g;
const style =
  /^(?:class|style|width|height|sizes|media|viewbox|d|fill|transform|loading|decoding) of |^code of <style>/;
const address = /^(?:href|src|srcset|action|formaction|data|poster|content|data-[\w-]+) of /;
const code = /^(?:code of <script>|on\w+ of |nonce of |integrity of )/;
// Masking is linear; of a long value its beginning tells.
const LONGEST = 4000;

/** Why a difference in markup of one sort ("class of <div>") is no news; the values are null where there was none. */
export function whyAttribute(what: string, before: string | null, after: string | null): NoiseReason {
  if (before !== null && after !== null) {
    const [old, now] = [before.slice(0, LONGEST), after.slice(0, LONGEST)];
    if (old.replace(version, "$1") === now.replace(version, "$1")) return "asset-version";
    if (maskTokens(old) === maskTokens(now)) return "token";
    if (address.test(what) && maskUrl(old) === maskUrl(now)) return "tracking";
  }
  if (style.test(what)) return "style";
  if (code.test(what)) return "build";
  return what.startsWith("text in <") ? "hidden" : "markup";
}
