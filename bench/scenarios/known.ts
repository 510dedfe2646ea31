/** Scenarios that go wrong today, and how. Each has to leave this list; one that goes right fails the tests. */
export const known: Record<string, string> = {};
