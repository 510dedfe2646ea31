import { type ComponentType, createElement, lazy } from "react";

const patience = 120_000;

/** A part that did not come. */
export class LoadError extends Error {
  /** Lets the part be asked for anew the next time it is shown; React itself remembers a failure for good. */
  forget?: () => void;
}

/** Loads a screen part when first shown; a failed or endless load becomes "Loading chunk {id} failed." */
export function lazyPart<P extends object>(id: string, load: () => Promise<ComponentType<P>>) {
  let Part = ask();
  function ask() {
    return lazy(async () => {
      try {
        return { default: await loadPart(id, load) };
      } catch (error) {
        if (error instanceof LoadError) error.forget = () => (Part = ask());
        throw error;
      }
    });
  }
  return (props: P) => createElement(Part, props);
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
