import { type ComponentType, createElement, lazy } from "react";

const timeoutMs = 120_000;

/** Thrown when a part could not be loaded. */
export class LoadError extends Error {
  /** Makes the part load again the next time it is shown; React itself remembers a failure forever. */
  forget?: () => void;
}

/** Loads a part of the screen when it is first shown; a failure or timeout becomes "Loading chunk {id} failed." */
export function lazyPart<P extends object>(id: string, load: () => Promise<ComponentType<P>>) {
  let Part = createLazy();
  function createLazy() {
    return lazy(async () => {
      try {
        return { default: await loadPart(id, load) };
      } catch (error) {
        if (error instanceof LoadError) error.forget = () => (Part = createLazy());
        throw error;
      }
    });
  }
  return (props: P) => createElement(Part, props);
}

export async function loadPart<T>(id: string, load: () => Promise<T>): Promise<T> {
  const failure = new LoadError(`Loading chunk ${id} failed.`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failure), timeoutMs);
  });
  try {
    return await Promise.race([load(), timeout]);
  } catch (cause) {
    failure.cause = cause;
    throw failure;
  } finally {
    clearTimeout(timer);
  }
}
