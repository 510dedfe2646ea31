import type { FastifyRequest, InjectOptions } from "fastify";
import { type CallTransport, createClient } from "#client/create-client.ts";
import { AppError } from "#contract/errors.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

// Each message may be a call, and all of them wait for the slots of their address, which others may share.
const maxBatch = 20;

export const agentHandlers: Handlers<"mcp"> = {
  async mcp(_, { body, request, reply }) {
    const { authorization } = request.headers;
    if (!authorization) throw new AppError("UNAUTHENTICATED", "Agents need an API key.");
    if (Array.isArray(body) && body.length > maxBatch)
      throw new AppError(
        "INVALID_INPUT",
        `A batch holds at most ${maxBatch} messages. Send the others in another one.`,
      );
    // Each tool's call needs a slot of the same address. If this call kept its slot, six agents would wait forever.
    request.slot?.leave();
    // Loaded when the first agent calls.
    const [{ createMcpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
      import("#mcp/create-mcp-server.ts"),
      import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
    ]);
    const server = createMcpServer(createClient(callThisProcess(request, authorization)));
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === "string" && !["content-length", "transfer-encoding"].includes(name)
        ? [[name, value] as [string, string]]
        : [],
    );
    const mcpRequest = new Request(new URL(request.url, "http://localhost"), {
      method: "POST",
      headers,
      body: "",
    });
    const answer = await transport.handleRequest(mcpRequest, { parsedBody: body });
    const text = await answer.text();
    await server.close();
    for (const [name, value] of answer.headers) reply.header(name, value);
    return reply.status(answer.status).send(text);
  },
};

/** Sends an agent's calls to this process as if its key had called, so every check applies to them too. */
function callThisProcess(request: FastifyRequest, authorization: string): CallTransport {
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
