/** A link to the support address; only the word "support" until the address is known. */
export function SupportLink({ site }: { site: { supportEmail: string } | undefined }) {
  return site ? <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a> : "support";
}
