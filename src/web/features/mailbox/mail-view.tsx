import { useQuery } from "@tanstack/react-query";
import { call } from "#web/api/call.ts";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { Tabs } from "#web/ui/tabs.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { linkify } from "./linkify.ts";

// The frame runs and loads nothing, and its links do not work; the links in the text part do.
const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`;

/** One mail: its text with links, and its HTML in a sandboxed frame. */
export function MailView({ id }: { id: string }) {
  const {
    data: mail,
    error,
    refetch,
  } = useQuery({
    queryKey: ["mailbox", id],
    queryFn: ({ signal }) => call("GET /api/mailbox/:id", { params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) {
    return (
      <Failed title="We couldn’t load this email" action="Try again" onAction={() => void refetch()}>
        {error.message || "We couldn’t reach the server."}
      </Failed>
    );
  }
  if (!mail) return <Skeleton className="m-4 h-60" />;
  return (
    <article>
      <header className="grid grid-cols-1 gap-1 p-4">
        <h2 className="text-lg">{mail.subject}</h2>
        <p className="text-sm text-muted">
          {mail.from} to {mail.to}, <Time at={mail.date} />
        </p>
      </header>
      <Tabs
        label="Parts of the mail"
        tabs={[
          { id: "text", label: "Text", content: <Text text={mail.text} /> },
          ...(mail.html
            ? [
                {
                  id: "html",
                  label: "HTML",
                  content: (
                    <iframe
                      title="HTML part"
                      sandbox=""
                      srcDoc={policy + mail.html}
                      className="h-[60vh] w-full rounded-b-card bg-white"
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
    </article>
  );
}

function Text({ text }: { text: string }) {
  return (
    <p className="p-4 whitespace-pre-wrap">
      {linkify(text).map((part) =>
        part.href ? (
          <a
            key={part.at}
            href={part.href}
            target="_blank"
            rel="noopener noreferrer"
            className="text-accent-text underline underline-offset-2"
          >
            {part.text}
          </a>
        ) : (
          <span key={part.at}>{part.text}</span>
        ),
      )}
    </p>
  );
}
