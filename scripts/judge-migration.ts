/** Tables that may have a million rows, or a hundred. */
const large = [
  "accounts",
  "jobs",
  "schedules",
  "executions",
  "verdicts",
  "job_logs",
  "contents",
  "notifications",
  "deliveries",
  "trigger_runs",
  "events",
  "audit_entries",
  "job_memories",
];

const rules: [RegExp, string][] = [
  [/\bdrop\s+column\b/, "drops a column that the version before may still read"],
  [/\bdrop\s+table\b/, "drops a table that the version before may still read"],
  [/\brename\b/, "renames what the version before calls by its old name"],
  [
    /\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b/,
    "changes a type, which rewrites the table under lock",
  ],
  [/\bset\s+not\s+null\b/, "demands a value, which reads the table under lock"],
  [
    /\badd\s+column\b(?![^,;]*\bdefault\b)[^,;]*\bnot\s+null\b/,
    "adds a column that must be filled, without a default",
  ],
  [
    /\badd\s+column\b[^,;]*\bdefault\s+(gen_random_uuid|uuidv7|clock_timestamp|random)\s*\(/,
    "adds a column whose default differs by row, which rewrites the table under lock",
  ],
  [
    /\badd\s+(constraint\s+\w+\s+)?(check|foreign\s+key)\b(?![^;]*\bnot\s+valid\b)/,
    "adds a constraint that is checked under lock; add it not valid",
  ],
];

/** What keeps a migration from being applied beside the version before it; empty when nothing does. */
export function judgeMigration(sql: string): string[] {
  if (/^--\s*one step:\s*\S/m.test(sql)) return [];
  const statements = sql
    .replace(/--.*$/gm, "")
    .toLowerCase()
    .split(/;(?=(?:[^$]*\$\$[^$]*\$\$)*[^$]*$)/)
    .map((statement) => statement.replace(/\s+/g, " ").trim());
  const made = new Set(
    statements.flatMap((statement) => /^create table (?:if not exists )?(\w+)/.exec(statement)?.[1] ?? []),
  );
  return statements.flatMap((statement) => {
    const table =
      /^(?:alter table (?:if exists )?(?:only )?|update |delete from |create (?:unique )?index (?:\w+ )?on |drop table (?:if exists )?)(\w+)/.exec(
        statement,
      )?.[1];
    if (table && made.has(table)) return [];
    const problems = rules.filter(([pattern]) => pattern.test(statement)).map(([, problem]) => problem);
    const isLarge = table !== undefined && large.includes(table);
    if (isLarge && /^(update|delete)\b/.test(statement))
      problems.push(`writes ${table} whole, in one transaction`);
    if (isLarge && /^create (unique )?index/.test(statement))
      problems.push(`makes an index on ${table}, which blocks its writers`);
    return problems.map((problem) => `${statement.slice(0, 70)}: ${problem}`);
  });
}
