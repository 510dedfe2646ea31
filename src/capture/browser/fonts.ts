import { copyFile, link, mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";

const dejavu = ["Sans", "SansMono"]
  .flatMap((family) => ["", "-Bold", "-Oblique", "-BoldOblique"].map((style) => `DejaVu${family}${style}`))
  .concat(["", "-Bold", "-Italic", "-BoldItalic"].map((style) => `DejaVuSerif${style}`))
  .map((name) => `dejavu-fonts-ttf/ttf/${name}.ttf`);
const files = [
  ...dejavu,
  "@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf",
  "@expo-google-fonts/noto-sans-jp/700Bold/NotoSansJP_700Bold.ttf",
  "@expo-google-fonts/noto-color-emoji/400Regular/NotoColorEmoji_400Regular.ttf",
];
const substitutes: Record<string, string[]> = {
  "DejaVu Sans": [
    "sans-serif",
    "system-ui",
    "ui-sans-serif",
    "cursive",
    "fantasy",
    "Arial",
    "Helvetica",
    "Verdana",
    "Tahoma",
    "Segoe UI",
    "Roboto",
  ],
  "DejaVu Serif": ["serif", "ui-serif", "Times New Roman", "Times", "Georgia", "Cambria"],
  "DejaVu Sans Mono": ["monospace", "ui-monospace", "Courier New", "Courier", "Consolas", "Menlo", "Monaco"],
  "Noto Color Emoji": ["emoji", "Apple Color Emoji", "Segoe UI Emoji"],
};

/**
 * Puts the shipped fonts and a fontconfig file that lists no others into `folder`, so that a page looks the same on
 * every machine. The files are linked or copied, because the browser's user may not be able to read the project.
 */
export async function stageFonts(folder: string): Promise<string> {
  const fonts = join(folder, "fonts");
  await mkdir(fonts, { mode: 0o755 });
  const { resolve } = createRequire(import.meta.url);
  for (const file of files) {
    const source = resolve(file);
    const target = join(fonts, basename(file));
    await link(source, target).catch(() => copyFile(source, target));
  }
  const config = join(folder, "fonts.conf");
  await writeFile(config, fontsConf(fonts, join(folder, "font-cache")), { mode: 0o644 });
  return config;
}

function fontsConf(fonts: string, cache: string): string {
  const aliases = Object.entries(substitutes).flatMap(([family, names]) =>
    names.map(
      (name) =>
        `<alias binding="same"><family>${name}</family><prefer><family>${family}</family></prefer></alias>`,
    ),
  );
  const edits =
    '<edit name="hinting" mode="assign"><bool>false</bool></edit><edit name="rgba" mode="assign"><const>none</const></edit>';
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>${fonts}</dir>
<cachedir>${cache}</cachedir>
${aliases.join("\n")}
<match target="font">${edits}</match>
<config><rescan><int>0</int></rescan></config>
</fontconfig>
`;
}
