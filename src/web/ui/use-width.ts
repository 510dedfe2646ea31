import { useEffect, useState } from "react";

/** How wide an element is, now and when that changes; 0 before it is drawn. */
export function useWidth(element: Element | null): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
