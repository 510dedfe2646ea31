// Speed compared with peers, as ratios within one run; `npm run bench:detection` runs it after the accuracy part.
import { missed } from "./detection-speed/measure.ts";
import { benchPictures } from "./detection-speed/pictures.ts";
import { benchText } from "./detection-speed/text.ts";
import { benchLarge, benchVerdict } from "./detection-speed/verdict.ts";

/** Returns whether every goal was met. */
export async function runSpeed(): Promise<boolean> {
  await benchText();
  await benchPictures();
  await benchVerdict();
  await benchLarge();
  console.log(missed() === 0 ? "speed: every goal met" : `speed: ${missed()} goals missed`);
  return missed() === 0;
}

if (import.meta.main) process.exitCode = (await runSpeed()) ? 0 : 1;
