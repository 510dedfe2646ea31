import { Button, IconButton } from "#web/ui/button.tsx";
import type { useUrlParams } from "#web/ui/urls/use-url-params.ts";
import { Partner } from "./execution-navigation/partner.tsx";
import type { Command } from "./keyboard-shortcuts/keys.ts";
import type { Detail } from "./queries.ts";
import { Toggle } from "./toolbar.tsx";

/** Whether the URL's choice of an execution to compare with is the previous one, which is the default. */
export const isPrevious = (choice: string | null) => choice === null || choice === "previous";

type ExecutionControlsProps = {
  detail: Detail;
  other: Detail | undefined;
  first: Detail;
  second: Detail;
  isCompared: boolean;
  choice: string | null;
  showsTriggers: boolean;
  showsPanel: boolean;
  run: (command: Command) => void;
  change: ReturnType<typeof useUrlParams>[1];
};

/** What the execution is compared with, and what can be done with it; in the head, or in the options. */
export function ExecutionControls(props: ExecutionControlsProps) {
  const { detail, other, first, second, isCompared, choice, run, change, ...shown } = props;
  const isPreviousShown = isPrevious(choice);
  return (
    <>
      <Partner
        detail={detail}
        other={other}
        isOff={choice === "off"}
        isPreviousShown={isPreviousShown}
        placeholder={
          isPreviousShown
            ? "No previous execution"
            : choice === "next"
              ? "No next execution"
              : "No longer here"
        }
        run={run}
        onChoose={(chosen) => change({ with: chosen, at: null }, true)}
      />
      <HeadButtons
        {...shown}
        canPick={detail.hasImage}
        canShare={!detail.error}
        onPick={() => change({ dialog: "pick" })}
        onShare={() => change({ dialog: "share", share: second.id, from: isCompared ? first.id : null })}
        run={run}
      />
    </>
  );
}

type HeadButtonsProps = {
  showsTriggers: boolean;
  showsPanel: boolean;
  canPick: boolean;
  canShare: boolean;
  onPick: () => void;
  onShare: () => void;
  run: (command: Command) => void;
};

function HeadButtons(props: HeadButtonsProps) {
  const { showsTriggers, showsPanel, canPick, canShare, onPick, onShare, run } = props;
  return (
    <span className="ms-auto flex items-center gap-1 max-sm:gap-0">
      <Toggle
        pressed={showsTriggers}
        onClick={() => run("triggers")}
        label="Trigger HTTP"
        icon="send"
        folds
      />
      <Button size="sm" icon="pick" disabled={!canPick} onClick={onPick}>
        <span className="max-lg:sr-only">Pick on the page</span>
      </Button>
      <Button size="sm" icon="share" disabled={!canShare} onClick={onShare}>
        <span className="max-md:sr-only">Share Result</span>
      </Button>
      <IconButton icon="panel" label="Side panel" onClick={() => run("panel")} aria-pressed={showsPanel} />
      <IconButton icon="info" label="Keys (?)" onClick={() => run("help")} />
    </span>
  );
}
