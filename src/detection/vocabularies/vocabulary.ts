/**
 * What rules know of a language besides what `locale-words.ts` reads in the locale data. Each entry is the source of a regular expression that is tried without regard to case;
 * most are plain words.
 */
export type Vocabulary = {
  /** Units of time in other abbreviations than those of the locale data. */
  timeUnits?: string[];
  /** Amounts that are not written as digits: "an", "a few". */
  smallAmounts?: string[];
  /** Words before an amount that is not exact. */
  roughly?: string[];
  /** What comes before "5 minutes" to say how long ago: "vor". */
  agoBefore?: string[];
  /** What comes after "5 minutes" to say how long ago: "ago". */
  agoAfter?: string[];
  /** Whole phrases that say how long ago. */
  agoPhrases?: string[];
  /** What happened at a time that is stated: "Last updated". */
  stamps?: string[];
  /** What pages count by themselves, next to the number. */
  counted?: string[];
  /** The same, right after the number. */
  countedUnspaced?: string[];
  /** People who may be present. */
  people?: string[];
  /** What present people do. */
  beingPresent?: string[];
  /** Kinds of people present, as forums list them. */
  presentKinds?: string[];
  /** What a forum calls the list of people present. */
  onlineTitles?: string[];
  /** What comes before the number of a version. */
  versions?: string[];
  /** Labels outside the main content that depend on the visitor: sign-in, basket, greeting. */
  personal?: string[];
  /** Regions in a chooser of countries that the locale data doesn't name. */
  regions?: string[];
  /** What a consent prompt is about. */
  consentTopics?: string[];
  /** Buttons of a consent prompt. */
  consentButtons?: string[];
  /** What comes before a telephone number or an account number. */
  contactLabels?: string[];
  /** Words of search spam. */
  spam?: string[];
  /** What defaced pages say. */
  defacement?: string[];
  /** What tells a language model what to do: to drop its instructions, to hide something from its user. */
  aiInstructions?: string[];
  /** What pages say that replace others: errors, challenges, maintenance. */
  outage?: string[];
};
