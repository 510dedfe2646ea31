import type { BrowserSettings } from "#contract/browser-settings.ts";
import type { Protocol } from "../devtools-protocol/protocol.ts";
import { type Device, deviceOf } from "./devices.ts";

type Identity = Protocol.Emulation.SetUserAgentOverrideRequest;

const defaultLanguage = "en-US";

/**
 * How the browser identifies itself: as Chromium on Linux, which it is, or on the device that it emulates, without
 * "Headless", which many sites block. User agent, client hints and the values that scripts read agree with each other.
 */
export function identity(version: string, settings: BrowserSettings | null = null): Identity {
  const device = deviceOf(settings);
  const brands = [
    { brand: "Chromium", version },
    { brand: "Not:A-Brand", version: "8" },
  ];
  const isAndroid = device.os === "Android";
  return {
    userAgent: userAgentOf(version, device),
    acceptLanguage: languagesOf(settings),
    platform: isAndroid ? "Linux armv81" : "Linux x86_64",
    userAgentMetadata: {
      brands,
      fullVersionList: brands.map((each) => ({ ...each, version: `${each.version}.0.0.0` })),
      platform: device.os,
      platformVersion: isAndroid ? "15.0.0" : "",
      architecture: isAndroid ? "" : "x86",
      model: device.model,
      mobile: device.isPhone,
    },
  };
}

/** Chrome on Android names neither its version nor its model any more. */
function userAgentOf(version: string, { os, isPhone }: Device): string {
  const system = os === "Android" ? "Linux; Android 10; K" : "X11; Linux x86_64";
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 ${isPhone ? "Mobile " : ""}Safari/537.36`;
}

/** A visitor with de-DE also reads de. */
function languagesOf(settings: BrowserSettings | null): string {
  const { language } = settings ?? {};
  if (!language) return defaultLanguage;
  const [base = language] = language.split("-");
  return base === language ? language : `${language},${base}`;
}

/** The same browser with the user agent and languages of the user's request headers. */
export function identityFromHeaders(
  version: string,
  headers: [name: string, value: string][],
  settings: BrowserSettings | null = null,
): Identity {
  const values = new Map(headers);
  const defaults = identity(version, settings);
  const userAgent = values.get("user-agent");
  const languages = values.get("accept-language")?.split(",");
  return {
    // Brands that contradict the user agent would give it away, so they are left out.
    ...(userAgent ? { userAgent } : defaults),
    acceptLanguage:
      languages
        ?.map((language) => language.split(";")[0]?.trim())
        .filter((language) => language && language !== "*")
        .join(",") || defaults.acceptLanguage,
  };
}

/** The request headers of that browser, for plain HTTP requests made instead of it. */
export function requestHeadersOf(
  version: string,
  settings: BrowserSettings | null = null,
): [string, string][] {
  const { userAgent, acceptLanguage = defaultLanguage } = identity(version, settings);
  const [first, ...others] = acceptLanguage.split(",");
  return [
    ["user-agent", userAgent],
    ["accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"],
    ["accept-language", [first, ...others.map((language) => `${language};q=0.9`)].join(",")],
  ];
}
