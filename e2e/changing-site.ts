import { createServer } from "node:http";

export type ChangingSite = {
  url: string;
  /** host:port, for EGRESS_ALLOW. */
  host: string;
  page: { title: string; rows: string[]; banner: string; extra: string; status: number };
  /** Bodies of the requests that triggers made to `${url}hook`. */
  hooked: string[];
  close: () => void;
};

/** Serves a page that changes on command, an endpoint for triggers, and bytes that aren't text (`${url}raw`). */
export async function startChangingSite(): Promise<ChangingSite> {
  const page: ChangingSite["page"] = {
    title: "Acme bug bounty",
    rows: ["www.acme.example", "api.acme.example"],
    banner: "",
    extra: "",
    status: 200,
  };
  const hooked: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === "/hook") {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        hooked.push(body);
        response.writeHead(202, { "content-type": "application/json" });
        response.end('{"heard":true}');
      });
    } else if (request.url === "/raw") {
      response.writeHead(200, { "content-type": "text/plain" });
      response.end("a null \0 byte\n");
    } else {
      response.writeHead(page.status, { "content-type": "text/html; charset=utf-8" });
      response.end(draw(page));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}/`;
  return { url, host: `127.0.0.1:${port}`, page, hooked, close: () => server.close() };
}

function draw({ title, rows, banner, extra }: ChangingSite["page"]): string {
  const paragraphs = Array.from({ length: 30 }, (_, i) => `<p>Rule ${i}: be kind to production systems.</p>`);
  return `<!doctype html><html lang="en"><head><title>${title}</title>
<style>body{font:16px/1.5 sans-serif;margin:0}div.banner{background:#ffe9a8;padding:20px}main{margin:24px}</style></head>
<body>${banner && `<div class="banner">${banner}</div>`}<main><h1>${title}</h1><ul>${rows.map((row) => `<li>${row}</li>`).join("")}</ul>
${paragraphs.join("\n")}${extra}</main></body></html>`;
}
