/** A proxy address where nothing listens: a page without a tunnel of its own reaches nothing. */
export const unreachableProxy = "http://127.0.0.1:1";

// A later --disable-features replaces an earlier one, so there is one list.
const disabledFeatures = [
  // In some builds full-page screenshots fail on the new surface.
  "CDPScreenshotNewSurface",
  "AutofillServerCommunication",
  "CertificateTransparencyComponentUpdater",
  "DialMediaRouteProvider",
  "HttpsUpgrades",
  "MediaRouter",
  "OptimizationHints",
  "Translate",
];

/** The flags of every launch: first B2's second layer, then those that make two captures of one page equal. */
export function chromiumFlags(options: { profile: string; userAgent: string; sandbox: boolean }): string[] {
  return [
    "--headless",
    "--remote-debugging-pipe=cbor",
    `--user-data-dir=${options.profile}`,
    ...(options.sandbox ? [] : ["--no-sandbox"]),
    `--proxy-server=${unreachableProxy}`,
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--block-new-web-contents",
    "--deny-permission-prompts",
    "--disable-notifications",
    "--disable-print-preview",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--no-crashpad",
    "--no-first-run",
    "--no-pings",
    "--no-service-autorun",
    "--password-store=basic",
    "--use-mock-keychain",
    `--disable-features=${disabledFeatures.join(",")}`,
    "--js-flags=--max-old-space-size=768",

    `--user-agent=${options.userAgent}`,
    "--lang=en-US",
    "--accept-lang=en-US",
    "--disable-gpu",
    "--hide-scrollbars",
    "--mute-audio",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--force-prefers-reduced-motion",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--autoplay-policy=user-gesture-required",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--blink-settings=imageAnimationPolicy=2,defaultTextEncodingName=UTF-8",
    "about:blank",
  ];
}
