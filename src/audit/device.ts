const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\bSafari\//, "Safari"],
];
const systems: [RegExp, string][] = [
  [/\b(iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Names a known browser as its owner would, such as "Firefox on Linux". No word of it is taken from the caller. */
export function describeBrowser(agent: string | undefined): string | undefined {
  if (!agent) return undefined;
  const name = browsers.find(([pattern]) => pattern.test(agent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1];
  return name && system ? `${name} on ${system}` : name;
}

/** Names a browser or program. A program is called what it calls itself. */
export function describeDevice(agent: string | undefined): string | undefined {
  return describeBrowser(agent) ?? agent?.split(/[\s/]/)[0]?.slice(0, 40);
}
