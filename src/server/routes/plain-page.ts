/** A simple page of ours, without any content of users or watched pages. */
export function plainPage(body: string): string {
  const style =
    "body{margin:0;display:grid;min-height:100vh;place-items:center;font:16px/1.5 system-ui,sans-serif;color-scheme:light dark}main{max-width:30rem;padding:1.5rem}h1{font-size:1.25rem}button{font:inherit;padding:.6rem 1.1rem;border:0;border-radius:6px;background:#0b7285;color:#fff;cursor:pointer}";
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>Watchglass</title><style>${style}</style></head><body><main>${body}</main></body></html>`;
}
