import type { Protocol } from "./protocol.ts";

type Identity = Protocol.Emulation.SetUserAgentOverrideRequest;

/** How the browser names itself. Chromium on Linux, as it is, but for the word Headless, which many sites turn away. */
export function identity(version: string): Identity {
  const brands = [
    { brand: "Chromium", version },
    { brand: "Not:A-Brand", version: "8" },
  ];
  return {
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`,
    acceptLanguage: "en-US",
    platform: "Linux x86_64",
    userAgentMetadata: {
      brands,
      fullVersionList: brands.map((each) => ({ ...each, version: `${each.version}.0.0.0` })),
      platform: "Linux",
      platformVersion: "",
      architecture: "x86",
      model: "",
      mobile: false,
    },
  };
}

/** The same browser under the name and in the languages that a user asks for, as requests carry them. */
export function identityAs(version: string, headers: [name: string, value: string][]): Identity {
  const said = new Map(headers);
  const own = identity(version);
  const userAgent = said.get("user-agent");
  const languages = said.get("accept-language")?.split(",");
  return {
    // Brands that contradict the name would give it away.
    ...(userAgent ? { userAgent } : own),
    acceptLanguage:
      languages
        ?.map((one) => one.split(";")[0]?.trim())
        .filter((one) => one && one !== "*")
        .join(",") || own.acceptLanguage,
  };
}
