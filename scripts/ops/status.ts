import { countRows, listProcesses, readFigures } from "#storage/figures.ts";
import { doneMigrations, migrationNames } from "#storage/migrations/migrate.ts";
import { askDatabase, findProduct, withProduct } from "./open-product.ts";

export async function status(): Promise<boolean> {
  const running = await askDatabase((await findProduct()).databaseUrl, listProcesses);
  return withProduct(async ({ db, queue }) => {
    const figures = await readFigures(db, true);
    const done = await doneMigrations(db);
    const behind = migrationNames().filter((name) => !done.includes(name)).length;
    line(
      "schedule",
      `${figures.lagSeconds.toFixed(1)} s behind, looked at ${figures.tickAgeSeconds.toFixed(0)} s ago`,
    );
    line("migrations", behind === 0 ? `${done.length}, all done` : `${behind} to do`);
    line("stored", `${((figures.storedBytes ?? 0) / 1e9).toFixed(2)} GB of captures`);
    for (const { address, count } of running)
      line(
        "running",
        `${count === 1 ? "1 process" : `${count} processes`} ${address ? `at ${address}` : "beside the database"}`,
      );
    if (running.length === 0) line("running", "nothing: no process of Watchglass is connected");
    for (const { name, waiting, ageSeconds, dead } of await queue.lengths()) {
      const givenUp = dead > 0 ? `, ${dead} given up` : "";
      if (waiting > 0 || dead > 0)
        line(name, `${waiting} wait, the oldest for ${ageSeconds.toFixed(0)} s${givenUp}`);
    }
    for (const { table, rows, bytes } of (await countRows(db)).filter(({ rows }) => rows > 0))
      line(table, `about ${rows.toLocaleString("en")} rows, ${(bytes / 1e6).toFixed(1)} MB`);
    return true;
  });
}

const line = (what: string, says: string) => console.log(`${what.padEnd(18)} ${says}`);
