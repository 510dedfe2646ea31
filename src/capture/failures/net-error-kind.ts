import type { CaptureFailureKind } from "#contract/capture.ts";

// The errors of Chromium's list (net_error_list.h) that a browser behind our gateway can meet.
const names: Partial<Record<CaptureFailureKind | "no-page", string>> = {
  // A download or status 204 ends a navigation without a page; an error status without a body shows Chromium's page.
  "no-page": "ABORTED HTTP_RESPONSE_CODE_FAILURE INVALID_RESPONSE",
  guard: "UNSAFE_PORT DISALLOWED_URL_SCHEME UNKNOWN_URL_SCHEME BLOCKED_BY_ADMINISTRATOR",
  dns: "NAME_NOT_RESOLVED",
  timeout: "TIMED_OUT CONNECTION_TIMED_OUT",
  redirects: "TOO_MANY_REDIRECTS",
  tls: `CERT_COMMON_NAME_INVALID CERT_DATE_INVALID CERT_AUTHORITY_INVALID CERT_CONTAINS_ERRORS
    CERT_NO_REVOCATION_MECHANISM CERT_UNABLE_TO_CHECK_REVOCATION CERT_REVOKED CERT_INVALID
    CERT_WEAK_SIGNATURE_ALGORITHM CERT_NON_UNIQUE_NAME CERT_WEAK_KEY CERT_NAME_CONSTRAINT_VIOLATION
    CERT_VALIDITY_TOO_LONG CERT_SYMANTEC_LEGACY CERT_KNOWN_INTERCEPTION_BLOCKED CERT_SELF_SIGNED_LOCAL_NETWORK
    CERTIFICATE_TRANSPARENCY_REQUIRED CLIENT_AUTH_CERT_TYPE_UNSUPPORTED BAD_SSL_CLIENT_AUTH_CERT
    SSL_PROTOCOL_ERROR SSL_CLIENT_AUTH_CERT_NEEDED SSL_VERSION_OR_CIPHER_MISMATCH SSL_RENEGOTIATION_REQUESTED
    SSL_NO_RENEGOTIATION SSL_DECOMPRESSION_FAILURE_ALERT SSL_BAD_RECORD_MAC_ALERT SSL_DECRYPT_ERROR_ALERT
    SSL_PINNED_KEY_NOT_IN_CERT_CHAIN SSL_SERVER_CERT_CHANGED SSL_SERVER_CERT_BAD_FORMAT
    SSL_UNRECOGNIZED_NAME_ALERT SSL_OBSOLETE_CIPHER SSL_OBSOLETE_VERSION SSL_KEY_USAGE_INCOMPATIBLE
    TLS13_DOWNGRADE_DETECTED ECH_FALLBACK_CERTIFICATE_INVALID`,
  refused: `CONNECTION_CLOSED CONNECTION_RESET CONNECTION_REFUSED CONNECTION_ABORTED CONNECTION_FAILED
    TUNNEL_CONNECTION_FAILED PROXY_CONNECTION_FAILED PROXY_AUTH_UNSUPPORTED UNEXPECTED_PROXY_AUTH
    ADDRESS_UNREACHABLE NETWORK_CHANGED NETWORK_ACCESS_DENIED NETWORK_ACCESS_REVOKED NETWORK_IO_SUSPENDED
    EMPTY_RESPONSE SOCKET_NOT_CONNECTED`,
  // Says nothing about the server: Chromium's network process ended meanwhile.
  crashed: "FAILED",
  cut: `CONTENT_LENGTH_MISMATCH INCOMPLETE_CHUNKED_ENCODING INCOMPLETE_HTTP2_HEADERS`,
};

const kinds = new Map<string, CaptureFailureKind | "no-page">();
for (const [kind, list] of Object.entries(names)) {
  for (const name of list.split(/\s+/)) kinds.set(`net::ERR_${name}`, kind as keyof typeof names);
}

/** Maps Chromium's name for a network error to our kinds; "no-page" is not a failure but something to download. */
export function netErrorKind(error: string): CaptureFailureKind | "no-page" {
  return kinds.get(error) ?? "protocol";
}

/** The same for an error after the response has begun: a connection or stream that ends then has cut the document. */
export function transferErrorKind(error: string): CaptureFailureKind | "no-page" {
  const kind = netErrorKind(error);
  const isEarlyEnd = kind === "refused" || /^net::ERR_(HTTP2|QUIC)_/.test(error);
  return isEarlyEnd ? "cut" : kind;
}
