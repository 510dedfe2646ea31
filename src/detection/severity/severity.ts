/** In ascending order: from what only explains to what must be seen at once. */
export const severities = ["info", "notice", "important", "critical"] as const;
export type Severity = (typeof severities)[number];

/** How severe each thing is that a comparison can find. What only explains is info; a possible attack is critical. */
export const severityOf = {
  // The page as a whole
  noChange: "info",
  defacement: "critical",
  pageAlmostGone: "critical",
  pageReplacedByError: "important",
  pageUnreadable: "important",
  pageStillUnreadable: "info",
  pasteScam: "critical",
  aiInstruction: "important",
  hiddenAiInstruction: "critical",

  // Text
  textChanged: "notice",
  textOfMostlyReplacedPage: "important",
  hiddenTextChanged: "notice",
  targetAddedToScope: "important",
  contactChanged: "important",
  spamAdded: "important",

  // Files that are not HTML
  fileChanged: "notice",
  fileMostlyReplaced: "important",
  fileContactOrScopeChanged: "important",

  // Pictures
  looksDifferent: "notice",
  imageFileChanged: "notice",
  pictureReplaced: "notice",

  // What the user asked for
  requestedNoise: "notice",
  lookupMatch: "important",
  followedValueChanged: "notice",
  backInStock: "important",

  // Scripts, style sheets, frames and contacted hosts
  newScriptHost: "critical",
  newScriptAddressHoldsCode: "critical",
  newImportMapHost: "critical",
  newTagManagerContainer: "important",
  inlineScriptNamesNewHost: "critical",
  riskyInlineScript: "important",
  eventHandlerNamesNewHost: "critical",
  riskyEventHandler: "important",
  scriptContentsChanged: "important",
  ownScriptContentsChanged: "notice",
  newStyleSheetHost: "important",
  newStyleSheetRegion: "info",
  newFrame: "critical",
  frameAddressChanged: "notice",
  newContactedHost: "notice",
  newContactedHostAmongMany: "info",

  // Links
  hiddenLink: "critical",
  linkHoldsCode: "critical",
  linkLeadsToNewHost: "important",
  linkLeadsToOtherHost: "notice",
  linkTargetChanged: "notice",
  campaignLinkTargetChanged: "info",
  contactLinkChanged: "important",
  contactLinkAdded: "notice",
  linkNoLongerEncrypted: "notice",
  linkAddressObfuscationChanged: "notice",
  linkWordsChanged: "notice",
  linksSwitchedLocale: "info",
  newLinkHost: "important",
  newLinkHostAmongMany: "notice",
  newConsentPartner: "notice",
  wordsBecameLink: "notice",
  linkBecameWords: "notice",
  linkAdded: "info",
  linkRemoved: "info",
  // A link in navigation, header, footer or another part that changes by itself, whatever changed about it.
  linkOutsideContent: "info",

  // Forms
  formSendsToNewHost: "critical",
  newPasswordForm: "important",
  newPasswordFormSendsToOtherHost: "critical",
  formChanged: "notice",
  formOutsideContentChanged: "info",

  // Head, and what only screen readers and machines read
  titleChanged: "notice",
  metaChanged: "info",
  decisiveMetaChanged: "notice",
  pageAddressOnOtherSite: "important",
  pageAddressChanged: "notice",
  pageAddressSwitchedLocale: "info",
  sharedPictureOnOtherSite: "notice",
  baseAddressOnOtherSite: "critical",
  newRefresh: "critical",
  newRefreshWithoutScripts: "info",
  structuredDataChanged: "notice",
  controlOrLabelChanged: "notice",
  controlOrLabelOutsideContentChanged: "info",

  // The server's response
  accessGranted: "critical",
  statusClassChanged: "important",
  statusChanged: "notice",
  redirectToOtherSite: "critical",
  redirectWithinSite: "notice",
  contentKindChanged: "important",
  securityHeaderRemoved: "important",
  robotsHeaderRemoved: "notice",
  securityHeaderAdded: "notice",
  securityHeaderChanged: "notice",
  refreshHeaderChanged: "critical",
  cookieProtectionLost: "important",

  // Findings: secrets
  secret: "critical",
  harmlessSecret: "notice",
  valueNamedSecret: "important",

  // Findings: leaks
  stackTrace: "important",
  directoryListing: "important",
  sourceMap: "notice",
  revealingComment: "notice",
  comment: "info",

  // Findings: attack surface
  scriptFromOtherHost: "important",
  formToOtherHost: "important",
  formToOwnHost: "notice",
  passwordOrFileInput: "notice",
  cloudBucket: "notice",
  urlOnOtherHost: "notice",
  urlOnOwnHost: "info",
  endpoint: "info",
  parameter: "info",
  emailAddress: "info",

  // Findings: weakened protections
  contentPolicyRemoved: "important",
  contentPolicyLoosened: "important",
  strictTransportRemoved: "important",
  strictTransportShortened: "notice",
  strictTransportWithoutSubdomains: "notice",
  protectiveHeaderRemoved: "notice",
  unsafeReferrerPolicy: "notice",
  anyOriginAllowed: "notice",
} as const satisfies Record<string, Severity>;

type Rated = { severity: Severity };

/** Sorts the most severe first. */
export function bySeverity(a: Rated, b: Rated): number {
  return severities.indexOf(b.severity) - severities.indexOf(a.severity);
}

/** The highest severity of several things, info if there are none. */
export function highestSeverity(rated: Rated[]): Severity {
  return severities.findLast((severity) => rated.some((one) => one.severity === severity)) ?? "info";
}

/** Whether it makes a change. What is only info explains a change that something else makes. */
export function isDecisive({ severity }: Rated): boolean {
  return severity !== "info";
}

/**
 * Whether it makes a change that can't be an attack: the user's feedback on a location covers it, and it can become
 * digest-only. What is more severe is reported each time.
 */
export function isMild({ severity }: Rated): boolean {
  return severity === "notice";
}

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) >= severities.indexOf(least);
}

/** "important or higher", "critical". */
export function describeAtLeast(least: Severity): string {
  return least === "critical" ? least : `${least} or higher`;
}
