// The colors are those of src/web/styles.css, which the documentation page doesn't load. Swagger sets its own with
// longer selectors for each method and theme, hence the !important.
const css = `
html { color-scheme: light; --line: light-dark(oklch(0.896 0.008 225), oklch(0.312 0.016 225)); --ink: light-dark(oklch(0.225 0.02 225), oklch(0.955 0.005 225)); --muted: light-dark(oklch(0.455 0.018 225), oklch(0.765 0.014 225)); --accent: light-dark(oklch(0.485 0.085 205), oklch(0.82 0.095 200)); --surface: light-dark(oklch(1 0 0), oklch(0.2 0.013 225)); }
html.dark-mode { color-scheme: dark; }
html, body, .swagger-ui, .swagger-ui .scheme-container, .swagger-ui .topbar { background: light-dark(oklch(0.981 0.003 225), oklch(0.172 0.012 225)) !important; }
.swagger-ui, .swagger-ui :not(code, code *, pre, pre *, .microlight *, .opblock-summary-path, .opblock-summary-path *, .prop-type) {
  font-family: "Inter Variable", Inter, system-ui, "Noto Sans", sans-serif !important;
}
.swagger-ui .opblock .opblock-summary-path, .swagger-ui code, .swagger-ui .microlight, .swagger-ui .prop-type {
  font-family: "JetBrains Mono Variable", ui-monospace, "DejaVu Sans Mono", monospace; font-weight: 500;
}
.swagger-ui .topbar { border-bottom: 1px solid var(--line); padding: 10px 0; }
.swagger-ui .topbar .download-url-wrapper { display: none; }
.swagger-ui .topbar-wrapper { justify-content: space-between; }
.swagger-ui .topbar-wrapper .link { max-width: 180px; }
.swagger-ui .topbar-wrapper img { height: 26px; width: auto; }
.swagger-ui .topbar .dark-mode-toggle button svg { fill: var(--muted); }
.swagger-ui .info { margin: 28px 0 20px; }
.swagger-ui .info .title { font-size: 28px; font-weight: 600; letter-spacing: -0.02em; color: var(--ink); }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: var(--line) !important; }
.swagger-ui .info .title small pre { color: var(--ink) !important; }
.swagger-ui .info a, .swagger-ui .info .url { color: var(--accent) !important; }
.swagger-ui .info code { color: var(--ink) !important; background: var(--line) !important; }
.swagger-ui .info p, .swagger-ui .info li, .swagger-ui .opblock-tag small, .swagger-ui .opblock-summary-description,
.swagger-ui .opblock-summary-path, .swagger-ui .opblock-summary-path a { color: var(--ink) !important; }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: var(--ink) !important; }
.swagger-ui .servers-title, .swagger-ui .servers { display: none; }
.swagger-ui .scheme-container .schemes { justify-content: flex-end; }
.swagger-ui svg.unlocked, .swagger-ui svg.locked { fill: var(--muted); }
.swagger-ui .scheme-container { box-shadow: none !important; padding: 0 0 12px; }
.swagger-ui .opblock-tag { font-size: 16px; font-weight: 600; border-bottom: 1px solid var(--line); color: var(--ink); }
.swagger-ui .opblock { background: var(--surface) !important; border: 1px solid var(--line) !important; border-radius: 8px; box-shadow: none; }
.swagger-ui .opblock .opblock-summary, .swagger-ui .opblock .opblock-section-header { border-color: var(--line); box-shadow: none; }
.swagger-ui .opblock .opblock-summary-method { background: oklch(0.455 0.018 225) !important; color: white !important; border-radius: 6px; font-size: 12px; min-width: 68px; text-shadow: none; }
.swagger-ui .opblock-get .opblock-summary-method { background: oklch(0.485 0.085 205) !important; }
.swagger-ui .opblock-delete .opblock-summary-method { background: oklch(0.53 0.19 26) !important; }
.swagger-ui .opblock .opblock-summary .view-line-link.copy-to-clipboard { flex: none; width: 24px; }
.swagger-ui .btn { border-radius: 6px; box-shadow: none; border-color: var(--line); }
.swagger-ui .btn.authorize { color: var(--accent) !important; border-color: var(--accent) !important; }
.swagger-ui .btn.authorize svg { fill: var(--accent) !important; }
.swagger-ui .btn.execute { background: oklch(0.72 0.11 200); border-color: oklch(0.72 0.11 200); color: oklch(0.2 0.03 210); }
.swagger-ui :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

// Swagger leaves its logo and its first part without a name, and leaves out a level of headings.
const script = `
const levels = { "h3.opblock-tag": 2, ".opblock h4": 3, ".opblock h5": 4 };
new MutationObserver(() => {
  for (const image of document.querySelectorAll(".topbar img:not([alt])")) image.alt = "Watchglass";
  for (const part of document.querySelectorAll(".information-container, .scheme-container")) {
    part.role = "region";
    part.ariaLabel = part.matches(".scheme-container") ? "Authorization" : "About the API";
  }
  for (const [headings, level] of Object.entries(levels))
    for (const heading of document.querySelectorAll(headings + ":not([aria-level])")) heading.ariaLevel = level;
}).observe(document.body, { childList: true, subtree: true });
`;

const lens = '<path stroke="#475862" d="M2 14V2h8.5"/><circle stroke="#0f8a99" cx="9.5" cy="9.5" r="4.75"/>';
const stroke = 'fill="none" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"';
const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" ${stroke}>${lens}</svg>`;
const wordmark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 108 16"><g ${stroke}>${lens}</g><text x="22" y="12.5" font-family="Inter, system-ui, sans-serif" font-size="13" font-weight="600" fill="#7d8e96">Watchglass</text></svg>`;

/** The look of the API documentation: our logo and colors, and nothing from third parties. */
export const docsTheme = {
  // Links to single calls would be links inside of buttons, which screen readers can't reach.
  uiConfig: { deepLinking: false },
  logo: { type: "image/svg+xml", content: Buffer.from(wordmark), href: "/" },
  theme: {
    title: "Watchglass API",
    css: [{ filename: "watchglass.css", content: css }],
    js: [{ filename: "watchglass.js", content: script }],
    favicon: [
      { filename: "mark.svg", rel: "icon", type: "image/svg+xml", sizes: "any", content: Buffer.from(mark) },
    ],
  },
};
