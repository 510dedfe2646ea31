import toast from "react-hot-toast";

/** Says what happened and offers the way back while there is one; answers the toast's id. */
export function undoToast(message: string, durationMs: number, undo: () => void): string {
  return toast(
    (shown) => (
      <span className="flex items-center gap-4">
        {message}
        <button
          type="button"
          className="rounded-sm font-medium text-accent-text underline underline-offset-2"
          onClick={() => {
            toast.dismiss(shown.id);
            undo();
          }}
        >
          Undo
        </button>
      </span>
    ),
    { duration: durationMs },
  );
}
