import { noTracing, type Tracing } from "#queue/tracing.ts";
import type { Config } from "../config.ts";

type OpenTracing = Tracing & { close(): Promise<void> };

/** Opens tracing, which does nothing unless OTEL_EXPORTER_OTLP_ENDPOINT names a collector. */
export async function openTracing({ otlpEndpoint, role }: Config): Promise<OpenTracing> {
  if (!otlpEndpoint) return { ...noTracing, close: async () => undefined };
  const { sendSpans } = await import("./send-spans.ts");
  return sendSpans(otlpEndpoint, role);
}
