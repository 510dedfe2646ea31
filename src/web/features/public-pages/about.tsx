import { useSite } from "#web/api/site.ts";
import { Portrait } from "./portrait.tsx";
import { Prose } from "./prose.tsx";

/** Who built it and why. */
export function About() {
  const about = useSite()?.about;
  return (
    <Prose
      title="About Watchglass"
      lead={
        <div className="mt-2 flex flex-wrap items-start gap-5">
          <Portrait src={about?.portrait ? "/api/site/portrait" : null} />
          <div className="grid flex-[1_1_14rem] gap-3">
            <p>
              I am an independent developer and security practitioner. Watchglass began as a tool for my own
              work, and I still use it every day.
            </p>
            <Links codeUrl={about?.codeUrl ?? null} networkUrl={about?.networkUrl ?? null} />
          </div>
        </div>
      }
      parts={[
        {
          title: "Why I built it",
          body: (
            <>
              <p>
                I used to keep a set of pages open and reload them: a client’s login form that must not
                change, a scope page that would, an endpoint that answered 403. One Monday I found that a form
                had sent its visitors' passwords to another host since Friday evening. The page looked the
                same as ever. One attribute in half a megabyte of markup was different, and I had looked at it
                twice.
              </p>
              <p>
                Nobody reloads at three in the morning, and nobody spots one attribute. A machine does both
                well, so I wrote one that did. It alerted me forty times on its first day: tokens, ads,
                clocks. After that I knew where the work was. Most of what went into Watchglass since is
                telling a change from the noise that every page makes: being quiet until there is something to
                say, and exact when there is.
              </p>
              <p>
                The name is from the laboratory. A watch glass is the shallow dish a chemist sets over a
                beaker: you see everything that happens below it, and nothing falls in.
              </p>
            </>
          ),
        },
        {
          title: "Who it is for",
          body: (
            <ul>
              <li>
                <strong>Pentesters and bug bounty hunters</strong> who want to be first at a new scope, host
                or endpoint.
              </li>
              <li>
                <strong>Security teams</strong> who need to know that a page was defaced, a header dropped or
                a script added.
              </li>
              <li>
                <strong>Asset monitors</strong> who keep an eye on what an organization shows to the outside.
              </li>
              <li>
                <strong>Developers</strong> who compare what a release did to the page that people get.
              </li>
            </ul>
          ),
        },
        {
          title: "How it behaves",
          body: (
            <>
              <p>
                Captures belong to the account that made them and are shown to nobody else. What a page
                contains is only ever shown as text or as a picture; nothing in it runs in your browser. No
                site is opened more than twice at the same time, however many people watch it.
              </p>
              <p>
                Watchglass is for ethical security research and for watching what is yours or what you may
                watch. The terms say so too.
              </p>
            </>
          ),
        },
      ]}
    />
  );
}

const link = "text-accent-text underline underline-offset-2";

function Links({ codeUrl, networkUrl }: { codeUrl: string | null; networkUrl: string | null }) {
  if (!codeUrl && !networkUrl) return null;
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-base">
      {codeUrl && (
        <li>
          <a href={codeUrl} rel="me noopener noreferrer" className={link}>
            My code
          </a>
        </li>
      )}
      {networkUrl && (
        <li>
          <a href={networkUrl} rel="me noopener noreferrer" className={link}>
            My professional profile
          </a>
        </li>
      )}
    </ul>
  );
}
