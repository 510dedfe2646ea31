import { useEffect } from "react";
import { useLocation } from "react-router";
import { plans } from "#plans/plans.ts";
import { useSite } from "#web/api/site.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { DemoButton } from "./demo-button.tsx";
import { CaptureFigure, NotifyFigure, ReactFigure } from "./figures.tsx";
import { HeroFigure } from "./hero-figure.tsx";
import { Pricing } from "./pricing.tsx";
import { UseCases } from "./use-cases.tsx";

/** The front page: the product at work, then what it is for and what it costs. */
export function Landing() {
  const { hash, key } = useLocation();
  const site = useSite();
  useEffect(() => {
    document.title = "Watchglass: know what changed on any page";
  }, []);
  // The key makes a second click on the same item scroll again.
  useEffect(() => {
    if (key && hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash, key]);

  return (
    <>
      <section className="mx-auto max-w-280 px-5 pt-14 pb-16 sm:pt-20">
        <h1 className="max-w-200 text-hero tracking-[-0.03em]">Know what changed on any page.</h1>
        <p className="mt-5 max-w-160 text-muted sm:text-xl">
          Watchglass opens your pages on schedule, keeps a screenshot and the HTML of every check, and alerts
          you to the line that changed.
        </p>
        <div className="mt-8 flex flex-wrap items-center gap-x-5 gap-y-3">
          <ButtonLink to="/register" look="primary" size="lg">
            Start for free
          </ButtonLink>
          {site?.demo && <DemoButton />}
          <span className="text-base text-muted">
            Free for {plans[0].jobs} jobs. No credit card required.
          </span>
        </div>
        <HeroFigure />
      </section>

      <section className="border-y border-line bg-surface">
        <div className="mx-auto grid max-w-280 gap-10 px-5 py-16 md:grid-cols-[5fr_7fr]">
          <h2 className="text-2xl tracking-tight">A second pair of eyes on what you are responsible for</h2>
          <div className="grid gap-4 text-muted">
            <p>
              You choose a URL and how often to check it. Each check is an execution: the page as a picture,
              its HTML, status code and headers, compared with the previous check.
            </p>
            <p>
              Most pages change on every load: nonces, tokens, timestamps, ads. Watchglass learns what moves
              on its own and stays quiet about it, so an alert means that something happened.
            </p>
          </div>
        </div>
      </section>

      <div className="mx-auto grid max-w-280 gap-20 px-5 py-20">
        <Feature title="Capturing" figure={<CaptureFigure />}>
          A real browser loads the page and keeps the full-length screenshot and the rendered HTML. Text, JSON
          and security.txt files are read as they are. Every check stays in the history, to be compared with
          any other.
        </Feature>
        <Feature title="Reacting" figure={<ReactFigure />}>
          When a change is found, Watchglass can send an HTTP request: any method, your headers, and a JSON
          body with the change filled in. Send it on every change, or only when one of your strings is found.
        </Feature>
        <Feature title="Notifying" figure={<NotifyFigure />}>
          The alert says what changed in one line, on Telegram, by email or in a Discord channel. If the bot
          cannot reach you, the email does.
        </Feature>
      </div>

      <UseCases />
      <Pricing />

      <section className="border-t border-line bg-surface">
        <div className="mx-auto flex max-w-280 flex-wrap items-center justify-between gap-6 px-5 py-14">
          <h2 className="text-2xl tracking-tight">The next change is already on its way.</h2>
          <ButtonLink to="/register" look="primary" size="lg">
            Get started
          </ButtonLink>
        </div>
      </section>
    </>
  );
}

function Feature({
  title,
  figure,
  children,
}: {
  title: string;
  figure: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <section className="grid items-center gap-8 md:grid-cols-[5fr_7fr] md:gap-14">
      <div className="grid gap-3">
        <h2 className="text-2xl tracking-tight">{title}</h2>
        <p className="text-muted">{children}</p>
      </div>
      {figure}
    </section>
  );
}
