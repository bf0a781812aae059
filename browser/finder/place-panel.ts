type Box = { left: number; right: number; top: number; bottom: number };

/** Where the panel stands: CSS pixels of the viewport; exactly one of `top` and `bottom` is a number. */
export type Place = {
  left: number;
  width: number;
  top: number | null;
  bottom: number | null;
  maxHeight: number;
};

const GAP = 6;
const EDGE = 8;
// Our choice: about 60 letters of a snippet in a line.
const GOOD_WIDTH = 560;
const LEAST_HEIGHT = 240;
const MOST_HEIGHT = 640;

/**
 * Puts the panel below the bar, above it where there is little room below, and never across an edge of the screen.
 * @param isRightToLeft whether both begin at the right
 */
export function placePanel(
  bar: Box,
  viewport: { width: number; height: number },
  isRightToLeft: boolean,
): Place {
  const widest = Math.max(0, viewport.width - 2 * EDGE);
  const width = Math.min(widest, Math.max(bar.right - bar.left, GOOD_WIDTH));
  const wanted = isRightToLeft ? bar.right - width : bar.left;
  const left = Math.max(EDGE, Math.min(wanted, viewport.width - EDGE - width));
  const below = viewport.height - bar.bottom - GAP - EDGE;
  const above = bar.top - GAP - EDGE;
  const isAbove = below < LEAST_HEIGHT && above > below;
  return {
    left,
    width,
    top: isAbove ? null : bar.bottom + GAP,
    bottom: isAbove ? viewport.height - bar.top + GAP : null,
    maxHeight: Math.min(MOST_HEIGHT, Math.max(120, isAbove ? above : below)),
  };
}
