import { Prose } from "./prose.tsx";

/** Who it is for and why it was built. */
export function About() {
  return (
    <Prose
      title="About Watchglass"
      lead={
        <p>
          A watch glass is the shallow dish a chemist sets over a beaker: you see everything that happens
          below it, and nothing falls in. That is the idea.
        </p>
      }
      parts={[
        {
          title: "Why it was built",
          body: (
            <>
              <p>
                People who look after systems keep a set of pages open and reload them: the login form that
                must not change, the scope page that will, the endpoint that answers 403 today. Nobody reloads
                at three in the morning, and nobody spots one changed attribute in half a megabyte of markup.
              </p>
              <p>
                A machine does both well, if it can tell a change from the noise that every page makes. Most
                of the work in Watchglass went there: into being quiet until there is something to say, and
                exact when there is.
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
                <strong>Asset monitors</strong> who keep an eye on what an organisation shows to the outside.
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
