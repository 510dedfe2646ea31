/** Traces work from task to task; only the tracer knows what its ids mean. */
export type Tracing = {
  /** The id of the current work, for the tasks that it sends. */
  current(): string | undefined;
  span<T>(
    name: string,
    parent: string | undefined,
    attributes: Record<string, string | number>,
    work: () => Promise<T>,
  ): Promise<T>;
};

export const noTracing: Tracing = {
  current: () => undefined,
  span: (_name, _parent, _attributes, work) => work(),
};
