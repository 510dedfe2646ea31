// The server restarts on save; the web pages hot-reload through Vite, which forwards calls to the server.
import { type ChildProcess, spawn } from "node:child_process";

const port = process.env.PORT ?? "3000";
const server = run("node", [
  "--disable-warning=ExperimentalWarning",
  "--watch-path=src",
  "--watch-preserve-output",
  "src/server/main.ts",
]);
const web = run("vite", ["--port", String(Number(port) + 1), "--strictPort"]);

function run(command: string, args: string[]): ChildProcess {
  const env = { ...process.env, PORT: port, BASE_URL: `http://localhost:${Number(port) + 1}` };
  return spawn(command, args, { stdio: "inherit", env });
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    server.kill("SIGTERM");
    web.kill("SIGTERM");
  });
}
server.on("exit", () => web.kill("SIGTERM"));
