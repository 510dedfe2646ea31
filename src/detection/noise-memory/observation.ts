/** One observed difference at a location; null where there was or is nothing. */
export type Observation = {
  place: string;
  before: string | null;
  after: string | null;
  frame: boolean;
  /** Under no landmark, on a page that has its main element elsewhere. */
  beside?: true;
  /** The boilerplate part that the location belongs to. */
  part?: string;
  /** Navigation words that are in the boilerplate or invisible, and other invisible words there: they state nothing. */
  label?: "words" | "link";
  /** No reader sees it, before or after. */
  unseen?: true;
  /** Part of a difference that is too large for a state, such as stock or a price. */
  large?: true;
};
