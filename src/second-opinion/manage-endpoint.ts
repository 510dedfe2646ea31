import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { NewOpinionEndpoint, Opinion, OpinionState } from "#contract/second-opinion.ts";
import {
  deleteOpinionEndpoint,
  findOpinionEndpoint,
  listOpinionUsers,
  lockOpinionEndpoint,
  type OpinionEndpointRow,
  readOpinionUse,
  saveOpinionEndpoint,
} from "#storage/opinions.ts";
import { askAboutChange } from "./ask-about-change.ts";
import type { Deps } from "./deps.ts";
import { completionsUrl, sealKey } from "./endpoint.ts";

const shownJobs = 10;
const testMs = 25_000;

/** The endpoint without its key, and what was used this month. */
export async function readOpinionState(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
): Promise<OpinionState> {
  const [row, use, jobs] = await Promise.all([
    findOpinionEndpoint(db, accountId),
    readOpinionUse(db, accountId),
    listOpinionUsers(db, accountId, shownJobs),
  ]);
  const hasPrices = row && (row.input_price !== null || row.output_price !== null);
  return {
    endpoint: row ? describeEndpoint(row) : null,
    month: new Date().toISOString().slice(0, 7),
    spent: { ...use, cost: hasPrices ? use.cost : null },
    jobs,
  };
}

/** Sets up the endpoint. A key never goes to another address than the one that it was entered for. */
export async function saveEndpoint(
  deps: Deps,
  { accountId }: Actor,
  input: NewOpinionEndpoint,
): Promise<void> {
  const url = await judgeUrl(deps, input.url);
  await deps.db.transaction().execute(async (tx) => {
    const old = await lockOpinionEndpoint(tx, accountId);
    const keepsKey = (input.key ?? null) === null;
    if (keepsKey && old?.key_sealed && old.url !== url)
      throw new AppError("INVALID_INPUT", "Enter the key again: the address changed.", { field: "key" });
    const keySealed = keepsKey
      ? (old?.key_sealed ?? null)
      : input.key
        ? sealKey(deps.secrets, accountId, input.key)
        : null;
    const isSame = old?.url === url && old.model === input.model && keepsKey;
    await saveOpinionEndpoint(tx, {
      account_id: accountId,
      url,
      model: input.model,
      key_sealed: keySealed,
      is_on: input.isOn,
      max_calls: input.maxCalls,
      max_calls_per_job: input.maxCallsPerJob,
      max_tokens: input.maxTokens,
      input_price: input.inputPrice,
      output_price: input.outputPrice,
      wait_seconds: input.waitSeconds,
      // What was learned belongs to the old endpoint.
      ...(!isSame && {
        form: null,
        problem: null,
        failed_at: null,
        succeeded_at: null,
        failures: 0,
        paused_until: null,
      }),
    });
  });
}

export async function removeEndpoint({ db }: Pick<Deps, "db">, { accountId }: Actor): Promise<void> {
  const isDeleted = await db.transaction().execute((tx) => deleteOpinionEndpoint(tx, accountId));
  if (!isDeleted) throw new AppError("NOT_FOUND");
}

/** Asks the endpoint about a made-up change, whose facts are known. */
export async function testEndpoint(deps: Deps, { accountId }: Actor): Promise<Opinion> {
  const endpoint = await requireEndpoint(deps, accountId);
  return askAboutChange(
    deps,
    endpoint,
    {
      jobId: null,
      jobName: "Terms of sale",
      matters: "Refund terms",
      // The moment makes each test a new question, so that no stored answer is used.
      blocks: [
        { id: "b1", sign: "removed", text: "Refunds are possible within 30 days." },
        { id: "b2", sign: "added", text: "Refunds are possible within 14 days." },
        { id: "b3", sign: "added", text: `Last edited ${new Date().toISOString()}` },
      ],
    },
    Date.now() + testMs,
  );
}

export async function requireEndpoint(
  { db }: Pick<Deps, "db">,
  accountId: string,
): Promise<OpinionEndpointRow> {
  const endpoint = await findOpinionEndpoint(db, accountId);
  if (!endpoint) throw new AppError("CONFLICT", "Set up a model first: Profile, Second opinion.");
  return endpoint;
}

async function judgeUrl({ refuseTarget }: Deps, entered: string): Promise<string> {
  const refuse = (reason: string) => new AppError("INVALID_INPUT", reason, { field: "url" });
  if (!URL.canParse(entered.trim())) throw refuse("Enter an address such as https://api.example.com/v1.");
  const { username, password, search } = new URL(entered.trim());
  if (username || password) throw refuse("The key has a field of its own: enter the address without it.");
  if (search) throw refuse("Enter the address without a question mark and what follows.");
  const url = completionsUrl(entered.trim());
  const reason = await refuseTarget(url);
  if (reason) throw refuse(reason);
  return url;
}

function describeEndpoint(row: OpinionEndpointRow): NonNullable<OpinionState["endpoint"]> {
  return {
    url: row.url,
    model: row.model,
    hasKey: row.key_sealed !== null,
    isOn: row.is_on,
    maxCalls: row.max_calls,
    maxCallsPerJob: row.max_calls_per_job,
    maxTokens: row.max_tokens,
    inputPrice: row.input_price,
    outputPrice: row.output_price,
    waitSeconds: row.wait_seconds,
    problem: row.problem,
    failedAt: row.failed_at?.toISOString() ?? null,
    succeededAt: row.succeeded_at?.toISOString() ?? null,
  };
}
