import { expect, test } from "vitest";
import { render } from "../../../testing/render.tsx";
import { ImportNote } from "./import-note.tsx";

const importedAt = "2026-03-04T05:06:07.000Z";
const own = { createdAt: "2026-03-01T00:00:00.000Z", status_code: 200, hasImage: true, importedAt: null };
const imported = { ...own, importedAt };

const date = /[^.]*2026[^.]*/.source;
test.for([
  [own, own, /^$/],
  [null, own, /^$/],
  [null, imported, `^This capture was imported from an archive on ${date}. This server didn’t make it,`],
  [
    imported,
    own,
    `^The capture before the change was imported from an archive on ${date}. This server didn’t`,
  ],
  [
    own,
    imported,
    `^The capture after the change was imported from an archive on ${date}. This server didn’t`,
  ],
  [
    imported,
    imported,
    `^Both captures were imported from an archive on ${date}. This server didn’t make them,`,
  ],
] as const)(
  "a shared comparison says which of its captures were imported",
  async ([before, after, words]) => {
    const { host, unmount } = await render(<ImportNote before={before} after={after} />);
    expect(host.textContent).toMatch(new RegExp(words));
    await unmount();
  },
);
