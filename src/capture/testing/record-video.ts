import type { Tab } from "../browser/tab.ts";

const record = `async () => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [320, 240];
  const pen = canvas.getContext("2d");
  const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: "video/webm;codecs=vp8" });
  const parts = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  recorder.start();
  for (let i = 0; i < 20; i++) {
    pen.fillStyle = "hsl(" + i * 18 + " 90% 50%)";
    pen.fillRect(0, 0, 320, 240);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await new Promise((resolve) => { recorder.onstop = resolve; recorder.stop(); });
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(String.fromCharCode(...bytes));
}`;

/** A second of changing colors as WebM, recorded by the browser itself. */
export async function recordVideo(tab: Tab): Promise<Buffer> {
  const world = await tab.openIsolatedWorld();
  return Buffer.from(await tab.run<string>(world, record, {}), "base64");
}
