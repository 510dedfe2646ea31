import type { Command } from "commander";
import type { Context } from "../context.ts";

export function addMcp(program: Command, context: Context): void {
  program
    .command("mcp")
    .description("serve agents over standard input and output; over HTTP the installation does, at /api/mcp")
    .action(async () => {
      const client = await context.client();
      // Imported only here, because it takes longer to load than all other commands.
      const [{ StdioServerTransport }, { createMcpServer }] = await Promise.all([
        import("@modelcontextprotocol/sdk/server/stdio.js"),
        import("#mcp/create-mcp-server.ts"),
      ]);
      const server = createMcpServer(client);
      const closed = new Promise<void>((resolve) => {
        server.server.onclose = resolve;
        context.stdin.once("end", resolve);
        context.signal.addEventListener("abort", () => resolve());
      });
      await server.connect(new StdioServerTransport());
      await closed;
    });
}
