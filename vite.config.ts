import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: "src/web",
  plugins: [react(), tailwindcss()],
  build: {
    outDir: "../../dist/web",
    emptyOutDir: true,
    manifest: true,
    // Browsers that know light-dark(), so that each colour token stays one declaration.
    target: ["chrome123", "edge123", "firefox125", "safari17.5"],
    // Every asset is its own file: the CSP allows no data: script or font.
    assetsInlineLimit: 0,
  },
  server: { proxy: { "/api": "http://127.0.0.1:3000" } },
});
