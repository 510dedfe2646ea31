import { Button } from "./button.tsx";

type PlainHttpQuestionProps = {
  isOffered: boolean;
  isBusy?: boolean;
  problem?: string | undefined;
  onAccept: () => void;
};

/** Asks whether to use HTTP for a page that can't be reached over HTTPS. */
export function PlainHttpQuestion({ isOffered, isBusy = false, problem, onAccept }: PlainHttpQuestionProps) {
  if (!isOffered) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <p>The page can’t be reached over HTTPS. Does it only support HTTP?</p>
      <Button size="sm" busy={isBusy} onClick={onAccept}>
        Use http://
      </Button>
      {problem && (
        <p role="alert" className="text-removed">
          {problem}
        </p>
      )}
    </div>
  );
}
