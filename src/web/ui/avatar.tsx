import { cx } from "./cx.ts";

type AvatarProps = { photo: string | null; firstname: string; surname: string; className?: string };

const first = (text: string) => Array.from(text.trim())[0] ?? "";

/** The photo, or the initials in any script. */
export function Avatar({ photo, firstname, surname, className }: AvatarProps) {
  const shape = cx("shrink-0 rounded-full bg-accent-bg object-cover text-accent-text", className);
  if (photo) return <img src={photo} alt="" className={shape} />;
  return (
    <span aria-hidden="true" className={cx("grid place-items-center font-medium uppercase", shape)}>
      {first(firstname)}
      {first(surname)}
    </span>
  );
}
