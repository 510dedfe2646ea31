import { type ComponentType, lazy } from "react";

const patience = 120_000;

class LoadError extends Error {}

/** Loads a screen part when first shown; a failed or endless load becomes "Loading chunk {id} failed." */
export function lazyPart<P>(id: string, load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await loadPart(id, load) }));
}

export async function loadPart<T>(id: string, load: () => Promise<T>): Promise<T> {
  const failure = new LoadError(`Loading chunk ${id} failed.`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failure), patience);
  });
  try {
    return await Promise.race([load(), late]);
  } catch (cause) {
    failure.cause = cause;
    throw failure;
  } finally {
    clearTimeout(timer);
  }
}
