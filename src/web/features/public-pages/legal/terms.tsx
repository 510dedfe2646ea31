import { Link } from "react-router";
import { planFeatures } from "#plans/plan-features.ts";
import { formatPrice, plans } from "#plans/plans.ts";
import { useSite } from "#web/api/site.ts";
import { Prose } from "../prose.tsx";
import { SupportLink } from "./support-link.tsx";

/** The terms: fourteen sections, with plans and prices from the one plan table. */
// Long because it is the text of the page, in the order in which it is read.
export function Terms() {
  const site = useSite();
  return (
    <Prose
      numbered
      title="Terms and Conditions"
      lead={<p>These terms are the agreement between you and Watchglass about the use of the service.</p>}
      parts={[
        {
          title: "Definitions",
          body: (
            <ul>
              <li>
                <strong>Service</strong>: the Watchglass web application, its calls and its messages.
              </li>
              <li>
                <strong>Account</strong>: your registration with the service and everything kept under it.
              </li>
              <li>
                <strong>Job</strong>: one web address that the service watches for you at a frequency you set.
              </li>
              <li>
                <strong>Capture</strong>: the screenshot, HTML, status and headers kept from one check of a
                job.
              </li>
              <li>
                <strong>Plan</strong>: the set of limits and features of your account.
              </li>
            </ul>
          ),
        },
        {
          title: "Eligibility",
          body: (
            <p>
              You must be at least 18 years old and able to enter into a legal agreement. If you use the
              service for an organization, you confirm that you may bind it to these terms.
            </p>
          ),
        },
        {
          title: "Account creation",
          body: (
            <p>
              Give accurate information when you register and keep it so. Activate the account through the
              link we mail to you. Keep your password, session and bot token to yourself; what is done with
              them counts as done by you. Tell us at once if you believe that somebody else has them.
            </p>
          ),
        },
        {
          title: "Subscription plans and billing",
          body: (
            <>
              <p>There are {plans.length} plans. Prices are per month.</p>
              <ul>
                {plans.map((plan) => (
                  <li key={plan.id}>
                    <strong>
                      {plan.name}, {formatPrice(plan.priceCents)}
                      {plan.priceCents === 0 ? " (free)" : ""}
                    </strong>
                    : {planFeatures(plan).join("; ")}.
                  </li>
                ))}
              </ul>
              <p>
                Paid plans are billed monthly in advance through our checkout provider and renew automatically
                unless canceled before the renewal date. If a payment fails, the plan stays for seven days;
                after that the account returns to {plans[0].name}. Nothing is deleted by that: jobs over the
                limits are set inactive.
              </p>
            </>
          ),
        },
        {
          title: "Cancellations and refunds",
          body: (
            <p>
              You cancel from the dashboard, at any time. Your access continues to the end of the billing
              period. We do not refund partial months or unused time, except where the law requires it.
            </p>
          ),
        },
        {
          title: "Acceptable use",
          body: (
            <>
              <p>The service is for ethical security research and for watching exposure. You agree not to</p>
              <ul>
                <li>watch, or send requests to, systems where you lack the right to do so;</li>
                <li>use jobs or HTTP triggers to disturb, overload or attack a system;</li>
                <li>
                  try to reach our internal network, other accounts, or limits that your plan does not
                  include;
                </li>
                <li>collect personal data of others without a lawful reason;</li>
                <li>resell the service, or use it for anything unlawful.</li>
              </ul>
              <p>Accounts that break these terms may be suspended or terminated.</p>
            </>
          ),
        },
        {
          title: "Availability and modifications",
          body: (
            <p>
              We work to keep the service available, but do not promise that it always is, nor that every
              change of every page is noticed. We may change, add or remove features, and tell you beforehand
              when that takes something away from a plan you pay for.
            </p>
          ),
        },
        {
          title: "Intellectual property",
          body: (
            <p>
              The service, its name, mark and code belong to Watchglass. The content of a captured page
              belongs to whoever owned it before; you are responsible for having the right to keep and share
              it. What you write into the service stays yours, and we use it only to run the service for you.
            </p>
          ),
        },
        {
          title: "Third-party services",
          body: (
            <p>
              Payments go through a checkout provider, and alerts through Telegram, Discord and email when you
              set them up. Their own terms apply to their part, and we are not answerable for their failures.
              An alert that could not be delivered by Telegram is sent by email.
            </p>
          ),
        },
        {
          title: "Limitation of liability",
          body: (
            <p>
              As far as the law allows, we are not liable for indirect or consequential damage, lost profit or
              lost data. Our total liability is limited to the amount you paid in the last three months.
            </p>
          ),
        },
        {
          title: "Indemnification",
          body: (
            <p>
              You hold us harmless from claims of others, and the reasonable costs of answering them, that
              come from your use of the service against these terms or against the law.
            </p>
          ),
        },
        {
          title: "Changes to terms",
          body: (
            <p>
              We may change these terms. We announce a change that matters by email or in the dashboard before
              it takes effect. If you go on using the service after that, you accept it; if not, you can
              delete your account.
            </p>
          ),
        },
        {
          title: "Governing law",
          body: (
            <p>
              These terms are governed by the law of{" "}
              {site?.jurisdiction ?? "the country in which the operator of this installation is established"},
              and its courts decide disputes, unless consumer law at your home says otherwise.
            </p>
          ),
        },
        {
          title: "Contact",
          body: (
            <p>
              Write to <SupportLink site={site} />, or visit <Link to="/">our website</Link>.
            </p>
          ),
        },
      ]}
    />
  );
}
