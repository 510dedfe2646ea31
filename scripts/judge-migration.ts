/** Tables that may have a million rows, or a hundred. */
const large = new Set([
  "accounts",
  "sessions",
  "jobs",
  "job_memories",
  "schedules",
  "executions",
  "verdicts",
  "job_logs",
  "contents",
  "notifications",
  "deliveries",
  "trigger_runs",
  "send_turns",
  "events",
  "audit_entries",
  "seals",
  "seal_heads",
  "seal_days",
  "pgboss.job",
]);

/** What the version before does not bear, whatever the size of the table. */
const breaks: [RegExp, string][] = [
  [
    /\bdrop column\b|\bdrop (?!column|constraint|default|not|expression|identity)\w+(,|$| cascade)/,
    "drops a column that the version before may still read",
  ],
  [
    /^drop (table|view|materialized view|function|trigger|type|schema|sequence)\b/,
    "drops what the version before may still use",
  ],
  [/^drop index\b|\bdrop constraint\b/, "drops what the version before may rely on (on conflict)"],
  [/\bdrop default\b/, "drops a default that the version before relies on"],
  [/\brename\b/, "renames what the version before calls by its old name"],
  [/\bset not null\b/, "demands a value, which reads the table under lock"],
  [
    /^create unique index\b|\badd (constraint \w+ )?(unique|primary key|exclude)\b(?! using index)/,
    "demands what the version before may not keep to, and makes an index under lock",
  ],
  [
    /\badd (constraint \w+ )?(check|foreign key)\b(?!.*\bnot valid\b)/,
    "adds a constraint that is checked under lock; add it not valid",
  ],
];

/** What takes a lock for as long as a table is large. */
const locks: [RegExp, string][] = [
  [/\balter (column )?\w+ (set data )?type\b/, "changes a type, which rewrites the table under lock"],
  [/\bset (logged|unlogged|tablespace|access method)\b/, "rewrites the table under lock"],
  [/^(vacuum full|cluster|reindex(?!.*concurrently)|truncate|lock)\b/, "holds the table under lock"],
];

/** What a column that is added may not be. */
const columns: [RegExp, string][] = [
  [
    /^(?!.*\b(default|generated|serial|bigserial)\b).*\bnot null\b/,
    "adds a column that must be filled, without a default",
  ],
  [
    /\bdefault \(*(gen_random_uuid|uuidv7|clock_timestamp|timeofday|random|nextval)\b|\b(big|small)?serial\b|\bgenerated\b/,
    "adds a column whose value differs by row, which rewrites the table under lock",
  ],
];
const checkedColumn: [RegExp, string] = [
  /\b(check|references|unique|primary key)\b/,
  "adds a column with a constraint, which reads the table under lock; add it after, not valid",
];

/** What keeps a migration from being applied beside the version before it; empty when nothing does. */
export function judgeMigration(sql: string): string[] {
  if (/^--\s*one step:\s*\S/m.test(sql)) return [];
  const statements = statementsOf(sql);
  const made = new Set(
    statements.flatMap((statement) => /^create table (?:if not exists )?([\w.]+)/.exec(statement)?.[1] ?? []),
  );
  return statements.flatMap((statement) => {
    const problems = judge(statement, made, statements.length === 1);
    return problems.map((problem) => `${statement.slice(0, 70)}: ${problem}`);
  });
}

function judge(statement: string, made: Set<string>, isAlone: boolean): string[] {
  // What it does, it does row by row, later.
  if (/^create (or replace )?(function|procedure|trigger)\b/.test(statement)) return [];
  const index =
    /^create (?:unique )?index( concurrently)?( if not exists)?(?: \w+)? on (?:only )?([\w.]+)/.exec(
      statement,
    );
  const table =
    index?.[3] ??
    /^(?:alter table (?:if exists )?(?:only )?|drop table (?:if exists )?|vacuum full |cluster |truncate (?:table )?|lock (?:table )?)([\w.]+)/.exec(
      statement,
    )?.[1];
  if (table && made.has(table)) return [];
  const problems = [...breaks, ...locks]
    .filter(([pattern]) => pattern.test(statement))
    .map(([, problem]) => problem);
  const isLarge = table !== undefined && large.has(table);
  for (const column of statement.startsWith("alter table") ? addedColumns(statement) : []) {
    const judged = isLarge ? [...columns, checkedColumn] : columns;
    problems.push(...judged.filter(([pattern]) => pattern.test(column)).map(([, problem]) => problem));
  }
  if (index?.[1] && !(isAlone && index[2]))
    problems.push("is made beside others' work only as the one statement of its file, with if not exists");
  if (index && !index[1] && isLarge)
    problems.push(`makes an index on ${table}, which blocks its writers; make it concurrently`);
  for (const [, , written = ""] of statement.matchAll(
    /\b(update|delete from|insert into|merge into) (?:only )?([\w.]+)/g,
  ))
    if (large.has(written) && !made.has(written) && !isFew(statement))
      problems.push(`writes ${written} whole, in one transaction`);
  return problems;
}

/** Rows that are written out are few. */
const isFew = (statement: string) => /^insert into [\w.]+( \([^)]*\))? values\b/.test(statement);

/** Without comments, texts and quotes, each on one line. */
function statementsOf(sql: string): string[] {
  return sql
    .replace(/--.*$/gm, "")
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .replace(/\bpublic\.|"/g, "")
    .split(/;(?=(?:[^$]*\$\w*\$[^$]*\$\w*\$)*[^$]*$)/)
    .map((statement) => statement.replace(/\s+/g, " ").trim())
    .filter(Boolean);
}

/** The definitions of columns that a statement adds, without what stands in brackets. */
function addedColumns(statement: string): string[] {
  let flat = statement;
  for (let before = ""; before !== flat; ) {
    before = flat;
    flat = flat.replace(/\([^()]*\)/g, "");
  }
  return flat
    .split(",")
    .flatMap(
      (part) =>
        /\badd (?!constraint|check|foreign|unique|primary|exclude)(?:column )?(.*)/.exec(part)?.[1] ?? [],
    );
}
