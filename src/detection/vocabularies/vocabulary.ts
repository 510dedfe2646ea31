/**
 * What rules know of a language. Each entry is the source of a regular expression that is tried without regard to case;
 * most are plain words.
 */
export type Vocabulary = {
  /** Units of time, also abbreviated. */
  timeUnits?: string[];
  /** Those units that are years. */
  years?: string[];
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
  /** Names of months, also abbreviated. */
  months?: string[];
  /** Names of days. */
  weekdays?: string[];
  /** Today and yesterday. */
  nearDays?: string[];
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
  /** Labels outside the main content that depend on the visitor: sign-in, basket, greeting. */
  personal?: string[];
  /** Names of languages in a chooser. */
  languageNames?: string[];
  /** Names of countries in a chooser. */
  countries?: string[];
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
