import { textButton } from "./verdict-view.tsx";

type ToPictureProps = { region?: number | undefined; onRegion: (region: number) => void };

/** A button that leads from a difference to its region, if the picture shows it. */
export function ShowOnPicture({ region, onRegion }: ToPictureProps) {
  if (region === undefined) return null;
  return (
    <button type="button" onClick={() => onRegion(region)} className={`${textButton} w-max text-xs`}>
      Show in picture
    </button>
  );
}
