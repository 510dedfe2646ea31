/** Follows work from task to task; what it follows by is the tracer's own. */
export type Tracing = {
  /** What names the work that is under way, for tasks that it sends. */
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
