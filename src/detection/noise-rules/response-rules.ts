import { hostOf, isVendor } from "../third-party-hosts/hosts.ts";
import type { NoiseRow, NoiseRule } from "./noise-rule.ts";

export const transportHeader: NoiseRow = {
  id: "transport.header",
  kind: "transport",
  claim:
    "A header that protects nothing: times, identifiers, caches, routing; flags that a cookie loses are reported",
  where: "response",
};

export const cookieRow: NoiseRow = {
  id: "visitor.cookie",
  kind: "visitor",
  claim: "A cookie that came or went, or got another flag that protects it",
  where: "response",
};

export const addressToken: NoiseRow = {
  id: "token.address",
  kind: "token",
  claim: "What a request puts into the address that it was redirected to",
  where: "response",
};

/** A host that a page newly loads from: a common service, or one that the page had before. */
export type SourceFact = { address: string; isKnown: boolean };

export const sourceRules: readonly NoiseRule<SourceFact>[] = [
  {
    id: "tracking.vendor",
    kind: "tracking",
    claim: "A common service, whose scripts, frames and pixels come and go on ordinary pages",
    where: "code",
    test: ({ address }) => isVendor(hostOf(address)),
  },
  {
    id: "alternating.source",
    kind: "alternating",
    claim: "A host that the page had at an earlier check",
    where: "code",
    test: ({ isKnown }) => isKnown,
  },
];

export const harmlessScript: NoiseRow = {
  id: "build.script",
  kind: "build",
  claim: "An inline script that names no new host and does nothing that is risky",
  where: "code",
};

export const vendorContents: NoiseRow = {
  id: "tracking.contents",
  kind: "tracking",
  claim: "Other contents of a script of a common service",
  where: "code",
};

export const pictureRotation: NoiseRow = {
  id: "rotation.picture",
  kind: "rotation",
  claim: "Another picture that the page already contains, or another one of an ad service",
  where: "picture",
};

export const pictureLayout: NoiseRow = {
  id: "style.layout",
  kind: "style",
  claim:
    "With a selector or ignore rules: the same words and images of the compared part, only at other places, in another size or over another background",
  where: "picture",
};

export const responseRows = [
  harmlessScript,
  transportHeader,
  cookieRow,
  addressToken,
  vendorContents,
  pictureRotation,
  pictureLayout,
];
