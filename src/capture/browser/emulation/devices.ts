import type { BrowserSettings } from "#contract/browser-settings.ts";

/** A kind of device: its screen, and how Chromium on it describes itself. */
export type Device = {
  width: number;
  height: number;
  /** Pixels of the screen for one of the page's. */
  scale: number;
  hasTouch: boolean;
  /** Whether the page's viewport tag applies, and whether the user agent says "Mobile". */
  isMobile: boolean;
  isPhone: boolean;
  os: "Linux" | "Android";
  model: string;
};

/** A tablet and a phone as sold in 2024, with Chrome's user agent for Android. */
export const devices: Record<NonNullable<BrowserSettings["device"]>, Device> = {
  desktop: {
    width: 1280,
    height: 800,
    scale: 1,
    hasTouch: false,
    isMobile: false,
    isPhone: false,
    os: "Linux",
    model: "",
  },
  tablet: {
    width: 820,
    height: 1180,
    scale: 2,
    hasTouch: true,
    isMobile: true,
    isPhone: false,
    os: "Android",
    model: "Pixel Tablet",
  },
  phone: {
    width: 412,
    height: 915,
    scale: 2.625,
    hasTouch: true,
    isMobile: true,
    isPhone: true,
    os: "Android",
    model: "Pixel 8",
  },
};

export const deviceOf = (settings: BrowserSettings | null | undefined): Device =>
  devices[settings?.device ?? "desktop"];
