import { isDeepStrictEqual } from "node:util";

type Package = {
  version?: string;
  resolved?: string;
  dev?: boolean;
  optional?: boolean;
  cpu?: string[];
  os?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};
export type Lock = { packages: Record<string, Package> };

const systems = ["aix", "android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const processors = ["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

/**
 * Lists the packages for other platforms that a lock file lacks. npm leaves them out when a registry does not offer
 * them, and `npm ci` of npm 11 then refuses the file everywhere. Their platform is read from their name.
 */
export function findMissing({ packages }: Lock): Record<string, Package> {
  const missing: Record<string, Package> = {};
  for (const [path, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
    if (path === "") continue;
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const key = `node_modules/${name}`;
      if (packages[key] || packages[`${path}/${key}`]) continue;
      const words = (name.split("/").at(-1) ?? "").split("-");
      const cpu = processors.filter((processor) => words.includes(processor));
      const os = systems.filter((system) => words.includes(system));
      missing[key] = {
        version,
        ...(cpu.length > 0 && { cpu }),
        ...(dev && { dev }),
        optional: true,
        ...(os.length > 0 && { os }),
      };
    }
  }
  return missing;
}

/** Adds the missing packages to the lock file, in the order in which npm writes it. */
export function completeLock<T extends Lock>(lock: T): T {
  const entries = Object.entries({ ...lock.packages, ...findMissing(lock) });
  entries.sort(([one], [other]) => one.localeCompare(other, "en"));
  return { ...lock, packages: Object.fromEntries(entries) };
}

/** Whether two lock files are equal, apart from `libc`, which npm 10 doesn't know and leaves out when it installs. */
export function isSameLock(one: Lock, other: Lock): boolean {
  return isDeepStrictEqual(withoutLibc(one), withoutLibc(other));
}

function withoutLibc(lock: Lock): Lock {
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    const { libc: _, ...known } = entry;
    return [path, known] as const;
  });
  return { ...lock, packages: Object.fromEntries(packages) };
}

/** Lists the problems of a lock file, one sentence each. */
export function judgeLock(lock: Lock): string[] {
  const missing = Object.keys(findMissing(lock));
  const named = Object.entries(lock.packages).filter(([, { resolved }]) => resolved !== undefined);
  return [
    ...(missing.length > 0
      ? [
          `It lacks ${missing.length} packages for other platforms (${missing[0]}, …): run \`node scripts/check-lock.ts --write\`.`,
        ]
      : []),
    ...(named.length > 0
      ? [
          `It names a registry (${named[0]?.[0]}): install with omit-lockfile-registry-resolved, as .npmrc says.`,
        ]
      : []),
  ];
}
