import type { NoiseRow } from "./noise-rule.ts";

export const responseRows: readonly NoiseRow[] = [
  {
    id: "tracking.vendor",
    claim: "A common service, whose scripts, frames and pixels come, go and change on ordinary pages",
    where: "code",
  },
  {
    id: "alternating.source",
    claim: "A host that the page had at an earlier check",
    where: "code",
  },
  {
    id: "build.script",
    claim: "An inline script that names no new host and does nothing that is risky",
    where: "code",
  },
  {
    id: "transport.header",
    claim:
      "A header that protects nothing: times, identifiers, caches, routing; flags that a cookie loses are reported",
    where: "response",
  },
  {
    id: "visitor.cookie",
    claim: "A cookie that came or went, or got another flag that protects it",
    where: "response",
  },
  {
    id: "token.address",
    claim: "What a request puts into the address that it was redirected to",
    where: "response",
  },
  {
    id: "rotation.picture",
    claim: "Another picture that the page already contains, or another one of an ad service",
    where: "picture",
  },
  {
    id: "style.layout",
    claim:
      "With a selector or ignore rules: the same words and images of the compared part, only at other places, in another size or over another background",
    where: "picture",
  },
];
