/** An error message next to its field. */
export function FieldError({ error }: { error: string | undefined }) {
  return (
    error && (
      <p role="alert" className="text-sm text-removed">
        {error}
      </p>
    )
  );
}
