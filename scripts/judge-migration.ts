/** Tables that may have a million rows in one installation and a hundred in another. */
const largeTables = new Set([
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

/** Statements that break the previous version, whatever the size of the table. */
const breakingStatements: [RegExp, string][] = [
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

/** Statements that hold a lock for a time that grows with the table. */
const lockingStatements: [RegExp, string][] = [
  [/\balter (column )?\w+ (set data )?type\b/, "changes a type, which rewrites the table under lock"],
  [/\bset (logged|unlogged|tablespace|access method)\b/, "rewrites the table under lock"],
  [/^(vacuum full|cluster|reindex(?!.*concurrently)|truncate|lock)\b/, "holds the table under lock"],
];

/** Properties that an added column may not have. */
const columnRules: [RegExp, string][] = [
  [
    /^(?!.*\b(default|generated|serial|bigserial)\b).*\bnot null\b/,
    "adds a column that must be filled, without a default",
  ],
  [
    /\bdefault \(*(gen_random_uuid|uuidv7|clock_timestamp|timeofday|random|nextval)\b|\b(big|small)?serial\b|\bgenerated\b/,
    "adds a column whose value differs by row, which rewrites the table under lock",
  ],
];
const constraintRule: [RegExp, string] = [
  /\b(check|references|unique|primary key)\b/,
  "adds a column with a constraint, which reads the table under lock; add it after, not valid",
];

/** Lists what prevents a migration from being applied while the previous version runs. */
export function judgeMigration(sql: string): string[] {
  if (/^--\s*one step:\s*\S/m.test(sql)) return [];
  const statements = statementsOf(sql);
  const createdTables = new Set(
    statements.flatMap((statement) => /^create table (?:if not exists )?([\w.]+)/.exec(statement)?.[1] ?? []),
  );
  return statements.flatMap((statement) => {
    const problems = judge(statement, createdTables, statements.length === 1);
    return problems.map((problem) => `${statement.slice(0, 70)}: ${problem}`);
  });
}

function judge(statement: string, createdTables: Set<string>, isAlone: boolean): string[] {
  // A function or trigger runs later, row by row.
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
  if (table && createdTables.has(table)) return [];
  const problems = [...breakingStatements, ...lockingStatements]
    .filter(([pattern]) => pattern.test(statement))
    .map(([, problem]) => problem);
  const isLarge = table !== undefined && largeTables.has(table);
  for (const column of statement.startsWith("alter table") ? addedColumns(statement) : []) {
    const rules = isLarge ? [...columnRules, constraintRule] : columnRules;
    problems.push(...rules.filter(([pattern]) => pattern.test(column)).map(([, problem]) => problem));
  }
  if (index?.[1] && !(isAlone && index[2]))
    problems.push("is made beside others' work only as the one statement of its file, with if not exists");
  if (index && !index[1] && isLarge)
    problems.push(`makes an index on ${table}, which blocks its writers; make it concurrently`);
  for (const [, , written = ""] of statement.matchAll(
    /\b(update|delete from|insert into|merge into) (?:only )?([\w.]+)/g,
  ))
    if (largeTables.has(written) && !createdTables.has(written) && !writesFewRows(statement))
      problems.push(`writes ${written} whole, in one transaction`);
  return problems;
}

/** An insert with literal values writes few rows. */
const writesFewRows = (statement: string) => /^insert into [\w.]+( \([^)]*\))? values\b/.test(statement);

/** Removes comments, texts and quotes, and puts each statement on one line. */
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

/** The definitions of the columns that a statement adds, without the text in brackets. */
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
