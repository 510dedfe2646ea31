import type { BrowserSettings } from "#contract/browser-settings.ts";
import type { Tab } from "../tab.ts";
import { deviceOf } from "./devices.ts";

/** Makes a new tab the device and the visitor of these settings. Must be answered before the tab navigates. */
export async function emulate(tab: Tab, settings: BrowserSettings | null): Promise<void> {
  if (!settings) return;
  const { colorScheme, motion, timeZone, language, device } = settings;
  const { width, height, scale, isMobile, hasTouch } = deviceOf(settings);
  const commands: Promise<unknown>[] = [];
  if (device && device !== "desktop")
    commands.push(
      tab.send("Emulation.setDeviceMetricsOverride", {
        width,
        height,
        deviceScaleFactor: scale,
        mobile: isMobile,
        screenWidth: width,
        screenHeight: height,
        screenOrientation: { type: "portraitPrimary", angle: 0 },
      }),
      tab.send("Emulation.setTouchEmulationEnabled", { enabled: hasTouch, maxTouchPoints: 5 }),
    );
  const features = [
    ...(colorScheme ? [{ name: "prefers-color-scheme", value: colorScheme }] : []),
    ...(motion === "full" ? [{ name: "prefers-reduced-motion", value: "no-preference" }] : []),
  ];
  if (features.length > 0) commands.push(tab.send("Emulation.setEmulatedMedia", { features }));
  if (timeZone) commands.push(tab.send("Emulation.setTimezoneOverride", { timezoneId: timeZone }));
  if (language) commands.push(tab.send("Emulation.setLocaleOverride", { locale: language }));
  await Promise.all(commands);
}
