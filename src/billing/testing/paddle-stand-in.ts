import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

type RecordedRequest = { method: string; path: string; authorization: string | undefined; body: unknown };
export type PaddleStandIn = Awaited<ReturnType<typeof startPaddleStandIn>>;

const price = (id: string, plan: string | undefined, amount: string) => ({
  id,
  product_id: `pro_${id}`,
  description: id,
  type: "standard",
  billing_cycle: { interval: "month", frequency: 1 },
  tax_mode: "account_setting",
  unit_price: { amount, currency_code: "USD" },
  unit_price_overrides: [],
  quantity: { minimum: 1, maximum: 1 },
  status: "active",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  custom_data: plan ? { plan } : null,
});

const totals = { subtotal: "950", tax: "50", total: "1000", grand_total: "1000", currency_code: "USD" };

const subscription = (id: string) => ({
  id,
  status: "active",
  customer_id: "ctm_01",
  address_id: "add_01",
  currency_code: "USD",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  collection_mode: "automatic",
  billing_cycle: { interval: "month", frequency: 1 },
  management_urls: { update_payment_method: null, cancel: "https://example.com" },
  items: [],
});

/** Answers like Paddle's API, on loopback, and records the requests. */
export async function startPaddleStandIn() {
  const seen: RecordedRequest[] = [];
  /** If set, the response to the next request. */
  let next: { status: number; body: string } | undefined;
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const url = new URL(request.url ?? "", "http://stand-in");
      const recorded = {
        method: request.method ?? "",
        path: url.pathname + url.search,
        authorization: request.headers.authorization,
        body: text ? JSON.parse(text) : undefined,
      };
      seen.push(recorded);
      const cannedResponse = next;
      next = undefined;
      response.setHeader("content-type", "application/json");
      response.statusCode = cannedResponse?.status ?? 200;
      response.end(cannedResponse?.body ?? JSON.stringify(answer(recorded.method, url, base())));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: base(),
    seen,
    failNext(status: number, body: string) {
      next = { status, body };
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function answer(method: string, url: URL, base: string): object {
  const path = url.pathname;
  if (path === "/prices") {
    // Two pages, the first with a price of another product. Each has the price of one plan.
    const isSecond = url.searchParams.has("after");
    const pagination = {
      per_page: 2,
      next: `${base}/prices?after=pri_2`,
      has_more: !isSecond,
      estimated_total: 3,
    };
    const data = isSecond
      ? [price("pri_pro", "professional", "900")]
      : [price("pri_other", undefined, "100"), price("pri_ult", "ultimate", "1900")];
    return { data, meta: { request_id: "r", pagination } };
  }
  const id = path.split("/")[2] ?? "";
  const meta = { request_id: "r" };
  if (path.endsWith("/preview")) {
    const details = { tax_rates_used: [], totals, line_items: [] };
    const immediate = {
      billing_period: { starts_at: "2026-01-01T00:00:00Z", ends_at: "2026-02-01T00:00:00Z" },
      details,
      adjustments: [],
    };
    return { data: { ...subscription(id), immediate_transaction: immediate }, meta };
  }
  if (path.endsWith("/update-payment-method-transaction")) {
    return {
      data: {
        id: "txn_open",
        status: "ready",
        currency_code: "USD",
        origin: "subscription_payment_method_change",
        collection_mode: "automatic",
        items: [],
        payments: [],
        created_at: "2026-01-01T00:00:00Z",
        updated_at: "2026-01-01T00:00:00Z",
      },
      meta,
    };
  }
  if (method === "POST" || method === "PATCH") return { data: subscription(id), meta };
  return { error: { type: "request_error", code: "not_found", detail: "Not found", documentation_url: "" } };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
