import { expect, test } from "vitest";
import { netErrorKind, transferErrorKind } from "./net-error-kind.ts";

test.each([
  ["net::ERR_ABORTED", "no-page"],
  ["net::ERR_HTTP_RESPONSE_CODE_FAILURE", "no-page"],
  ["net::ERR_INVALID_RESPONSE", "no-page"],
  ["net::ERR_UNSAFE_PORT", "guard"],
  ["net::ERR_NAME_NOT_RESOLVED", "dns"],
  ["net::ERR_CONNECTION_TIMED_OUT", "timeout"],
  ["net::ERR_CERT_SELF_SIGNED_LOCAL_NETWORK", "tls"],
  ["net::ERR_SSL_VERSION_OR_CIPHER_MISMATCH", "tls"],
  ["net::ERR_TOO_MANY_REDIRECTS", "redirects"],
  ["net::ERR_CONNECTION_ABORTED", "refused"],
  ["net::ERR_TUNNEL_CONNECTION_FAILED", "refused"],
  ["net::ERR_SOCKET_NOT_CONNECTED", "refused"],
  ["net::ERR_CONTENT_LENGTH_MISMATCH", "cut"],
  ["net::ERR_INCOMPLETE_CHUNKED_ENCODING", "cut"],
  ["net::ERR_FAILED", "crashed"],
  ["net::ERR_INVALID_HTTP_RESPONSE", "protocol"],
  ["net::ERR_NOBODY_KNOWS", "protocol"],
  ["toString", "protocol"],
])("%s is %s", (error, kind) => {
  expect(netErrorKind(error)).toBe(kind);
});

test.each([
  ["net::ERR_CONNECTION_RESET", "cut"],
  ["net::ERR_HTTP2_PROTOCOL_ERROR", "cut"],
  ["net::ERR_CONTENT_LENGTH_MISMATCH", "cut"],
  ["net::ERR_TIMED_OUT", "timeout"],
  ["net::ERR_ABORTED", "no-page"],
  ["net::ERR_CONTENT_DECODING_FAILED", "protocol"],
])("%s is %s once the response has begun", (error, kind) => {
  expect(transferErrorKind(error)).toBe(kind);
});
