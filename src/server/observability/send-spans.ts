import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Tracing } from "#queue/tracing.ts";

/**
 * Sends spans to the operator's collector. A task carries the span that sent it, so that a check, its confirmation, its
 * alerts and their deliveries are one trace.
 */
export function sendSpans(otlpEndpoint: string, role: string): Tracing & { close(): Promise<void> } {
  const exporter = new OTLPTraceExporter({ url: `${otlpEndpoint.replace(/\/{1,9}$/, "")}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "watchglass", "watchglass.role": role }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const contexts = new AsyncLocalStorageContextManager();
  const propagator = new W3CTraceContextPropagator();
  const tracer = provider.getTracer("watchglass");
  return {
    current() {
      const carrier: { traceparent?: string } = {};
      propagator.inject(contexts.active(), carrier, defaultTextMapSetter);
      return carrier.traceparent;
    },
    span(name, parent, attributes, work) {
      const parentContext =
        parent === undefined
          ? contexts.active()
          : propagator.extract(ROOT_CONTEXT, { traceparent: parent }, defaultTextMapGetter);
      const kind = parent === undefined ? SpanKind.INTERNAL : SpanKind.CONSUMER;
      const span = tracer.startSpan(name, { attributes, kind }, parentContext);
      return contexts.with(trace.setSpan(parentContext, span), async () => {
        try {
          return await work();
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message });
          throw error;
        } finally {
          span.end();
        }
      });
    },
    close: async () => {
      await provider.shutdown();
      contexts.disable();
    },
  };
}
