/** The support address; the word alone until the address is known. */
export function SupportLink({ site }: { site: { supportEmail: string } | undefined }) {
  return site ? <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a> : "support";
}
