/** A phone, or a window at 200 % zoom: the pictures need the room, so most controls are behind a button. */
export const compact = "(width < 860px) or (height < 520px)";

// Stage and panel are next to each other where there is room. On narrow screens they are stacked and scroll together,
// so that a short screen does not shrink the pictures.
export const stageAndPanel = "flex min-h-0 flex-1 max-md:flex-col max-md:overflow-y-auto";
export const stageColumn = "flex min-h-0 min-w-0 flex-1 flex-col max-md:flex-[1_0_auto]";
export const stage = "flex min-h-0 min-w-0 flex-1 flex-col max-md:flex-[1_0_max(20rem,60dvh)]";
export const sidePanel =
  "-outline-offset-2 w-80 shrink-0 overflow-y-auto border-s border-line bg-surface max-md:w-full max-md:overflow-visible max-md:border-s-0 max-md:border-t";
