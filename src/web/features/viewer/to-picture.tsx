import { textButton } from "./verdict-view.tsx";

type ToPictureProps = { region?: number | undefined; onRegion: (region: number) => void };

/** The way from a difference to its region, where the picture shows it. */
export function ToPicture({ region, onRegion }: ToPictureProps) {
  if (region === undefined) return null;
  return (
    <button type="button" onClick={() => onRegion(region)} className={`${textButton} w-max text-xs`}>
      On the picture
    </button>
  );
}
