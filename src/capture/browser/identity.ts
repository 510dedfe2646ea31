/** How the browser names itself. Chromium on Linux, as it is, but for the word Headless, which many sites turn away. */
export function identity(version: string) {
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
