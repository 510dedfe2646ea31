import { createServer } from "node:http";
import { StartError } from "../startup/start-error.ts";
import { demoPages, demoStyle } from "./pages.ts";

/** Serves the bundled site on loopback; `version` returns the current version of a page. */
export async function startDemoSite(
  port: number,
  version: (page: number) => number,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const path = request.url?.replace(/\?.*$/s, "") ?? "";
    const page = demoPages.findIndex((candidate) => candidate.path === path);
    const found = demoPages[page];
    if (path === "/site.css") response.setHeader("content-type", "text/css").end(demoStyle);
    else if (found)
      response.setHeader("content-type", "text/html; charset=utf-8").end(found.render(version(page)));
    else response.writeHead(404, { "content-type": "text/plain" }).end("There is no such page.");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new StartError(`DEMO needs port ${port} for its site (${error.code}); set PORT to another.`)),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}
