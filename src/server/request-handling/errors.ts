import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { AppError, type ErrorCode } from "#contract/errors.ts";
import { describeProblem, fieldOf, type Problem } from "./describe-problem.ts";

const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "TOO_LARGE",
  FST_REQ_FILE_TOO_LARGE: "TOO_LARGE",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_INVALID_MULTIPART_CONTENT_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "INVALID_INPUT",
  FST_ERR_BAD_URL: "NOT_FOUND",
};

/** Answers a refusal with a status and `{code, message, field?}`, a bug with an id to quote; the log has its cause. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, body, retryAfterSeconds } = describeError(error, request);
  if (retryAfterSeconds) reply.header("retry-after", retryAfterSeconds);
  return reply.status(status).send(body);
}

type Described = {
  status: number;
  body: { code: string; message: string; field?: string | undefined; id?: string };
  retryAfterSeconds?: number | undefined;
};

/** What a caller sees of an error. */
export function describeError(error: FastifyError, request: FastifyRequest): Described {
  const refusal = toRefusal(error, request);
  if (refusal) {
    const { status, code, message, field, retryAfterSeconds } = refusal;
    return { status, body: { code, message, field }, retryAfterSeconds };
  }
  request.log.error({ err: error }, "a call failed");
  const message = `Something went wrong on our side. If it happens again, contact support with this id: ${request.id}`;
  return { status: 500, body: { code: "INTERNAL", message, id: request.id } };
}

function toRefusal(error: FastifyError, request: FastifyRequest): AppError | undefined {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    // A malformed id in the path is answered like an unknown one.
    const inPath = error.validationContext === "params";
    const invalid = request.routeOptions.config.route?.invalid ?? (inPath ? "NOT_FOUND" : "INVALID_INPUT");
    const [problem] = error.validation as unknown as Problem[];
    if (inPath || !problem) return new AppError(invalid);
    return new AppError(invalid, describeProblem(problem), { field: fieldOf(problem) || undefined });
  }
  const code = frameworkCodes[error.code];
  if (code) return new AppError(code);
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError("INVALID_INPUT");
  }
  return undefined;
}
