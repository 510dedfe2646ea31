import { Link } from "react-router";
import { useSite } from "#web/api/site.ts";
import { Prose } from "../prose.tsx";
import { SupportLink } from "./support-link.tsx";

/** The privacy policy: what is stored about people, why, and how to have it deleted. */
// Long because it is the text of the page, in the order in which it is read.
export function Privacy() {
  const site = useSite();
  return (
    <Prose
      title="Privacy Policy"
      note="Last updated: June 15, 2025"
      lead={<p>This policy says what Watchglass stores about you, why, and what you can do about it.</p>}
      parts={[
        {
          title: "Definitions",
          body: (
            <ul>
              <li>
                <strong>Personal data</strong>: information that relates to an identified or identifiable
                person.
              </li>
              <li>
                <strong>Service</strong>: the Watchglass web application.
              </li>
              <li>
                <strong>Usage data</strong>: data that arises when the service is used.
              </li>
              <li>
                <strong>Cookies</strong>: small files that your browser keeps for a site.
              </li>
            </ul>
          ),
        },
        {
          title: "Data collected",
          body: (
            <>
              <ul>
                <li>
                  <strong>Email address</strong>, to sign you in and to write to you.
                </li>
                <li>
                  <strong>First and last name</strong>, to address you; a photo only if you upload one.
                </li>
                <li>
                  <strong>Usage data</strong>: IP address, browser type, calls made and their time, for
                  security and limits.
                </li>
                <li>
                  <strong>What you set up</strong>: jobs, groups, headers, triggers, notification channels,
                  and the captures of the pages you watch. Header values and other secrets are stored
                  encrypted.
                </li>
              </ul>
              <p>
                Passwords are stored only as a hash. Card data goes to the checkout provider and never reaches
                us.
              </p>
            </>
          ),
        },
        {
          title: "Cookies",
          body: (
            <>
              <ul>
                <li>
                  <strong>Necessary session cookies</strong>: one cookie named session keeps you signed in,
                  for seven days at most.
                </li>
                <li>
                  <strong>Persistent cookie-acceptance cookies</strong>: would remember your answer to a
                  cookie question. We set none, since we use no cookie that needs one.
                </li>
                <li>
                  <strong>Persistent functionality cookies</strong>: would remember choices. Your theme is
                  stored in your browser instead and is never sent to us.
                </li>
              </ul>
              <p>There are no advertising or tracking cookies, and no script from another host.</p>
            </>
          ),
        },
        {
          title: "Uses of data",
          body: (
            <ul>
              <li>to run the service: watch your pages, keep their history and alert you;</li>
              <li>to manage your account, plan and payments;</li>
              <li>to answer you when you write to support;</li>
              <li>to keep the service secure, enforce limits and find faults.</li>
            </ul>
          ),
        },
        {
          title: "Sharing",
          body: (
            <p>
              We sell nothing. Data is passed on only as far as a task needs it: to the checkout provider for
              a payment, to Telegram, Discord or a mail provider for an alert you asked for, to the address of
              an HTTP trigger you configured, and to whoever you give a share link to, until it expires or you
              revoke it.
            </p>
          ),
        },
        {
          title: "Retention",
          body: (
            <p>
              Account data is kept while the account exists. Captures are kept for the time your plan names.
              Logs for security are kept for a short time. Billing records are kept as long as the law
              requires.
            </p>
          ),
        },
        {
          title: "Transfer",
          body: (
            <p>
              The service and the providers named above may process data in countries other than yours.
              Wherever they do, this policy protects it.
            </p>
          ),
        },
        {
          title: "Deletion",
          body: (
            <p>
              You delete your account in the profile, under Delete Account, or by contacting support. Jobs,
              links and channels stop at once, and every row, capture and file of the account is removed.
            </p>
          ),
        },
        {
          title: "Disclosure",
          body: (
            <p>
              We disclose data when a law or a court obliges us, or when it is needed to protect people or
              rights. If the business is transferred, we tell you before another policy applies to your data.
            </p>
          ),
        },
        {
          title: "Security",
          body: (
            <p>
              Connections are encrypted, secrets are encrypted at rest, sessions can be ended at once, and
              captured pages are never run. No method is perfect, so we cannot promise absolute security.
            </p>
          ),
        },
        {
          title: "Children",
          body: (
            <p>
              The service is not for anyone under 13, and we do not knowingly keep data of children under 13.
              The <Link to="/terms-and-conditions">terms</Link> require users to be at least 18.
            </p>
          ),
        },
        {
          title: "Links to other sites",
          body: <p>Captures and alerts name other sites. Their own policies apply there.</p>,
        },
        {
          title: "Changes",
          body: (
            <p>When this policy changes, the date above changes, and we email you if the change matters.</p>
          ),
        },
        {
          title: "Contact",
          body: (
            <p>
              Questions go to <SupportLink site={site} />.
            </p>
          ),
        },
      ]}
    />
  );
}
