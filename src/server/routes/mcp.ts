import type { FastifyRequest, InjectOptions } from "fastify";
import { type Carry, createClient } from "#client/create-client.ts";
import { AppError } from "#contract/errors.ts";
import type { Handlers } from "../register-routes.ts";

export const agentHandlers: Handlers<"mcp"> = {
  async mcp(_, { body, request, reply }) {
    const { authorization } = request.headers;
    if (!authorization) throw new AppError("UNAUTHENTICATED", "Agents come with an API key.");
    // Each tool calls us itself and takes a slot of the same address: with this one kept, six agents would wait forever.
    request.slot?.leave();
    // Loaded for the first agent that comes.
    const [{ createMcpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
      import("#agents/create-mcp-server.ts"),
      import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
    ]);
    const server = createMcpServer(createClient(within(request, authorization)));
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === "string" && !["content-length", "transfer-encoding"].includes(name)
        ? [[name, value] as [string, string]]
        : [],
    );
    const asked = new Request(new URL(request.url, "http://localhost"), {
      method: "POST",
      headers,
      body: "",
    });
    const answer = await transport.handleRequest(asked, { parsedBody: body });
    const text = await answer.text();
    await server.close();
    for (const [name, value] of answer.headers) reply.header(name, value);
    return reply.status(answer.status).send(text);
  },
};

/** Carries an agent's calls to this very process, as if its key had called: every check holds for them too. */
function within(request: FastifyRequest, authorization: string): Carry {
  return async ({ method, path, headers, body }) => {
    const { host } = request.headers;
    const answer = await request.server.inject({
      method: method as InjectOptions["method"],
      url: path,
      remoteAddress: request.ip,
      headers: { ...headers, authorization, ...(host ? { host } : {}) },
      ...(typeof body === "string" ? { payload: body } : {}),
    } as InjectOptions);
    const type = String(answer.headers["content-type"] ?? "");
    return new Response(new Uint8Array(answer.rawPayload), {
      status: answer.statusCode,
      headers: { "content-type": type },
    });
  };
}
