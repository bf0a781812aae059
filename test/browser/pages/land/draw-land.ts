import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { feature } from 'topojson-client';

/** Units of the drawing: two a degree, so that −180 … 180 and 84 … −58 fill it (plate carrée projection). */
export const WIDTH = 720;
export const HEIGHT = 284;
const NORTH = 84;

type Ring = number[][];

/** The land of the Earth as the SVG that the home page shows: Natural Earth 1:110m (public domain), without Antarctica. */
export function drawLand(): string {
  const path = createRequire(import.meta.url).resolve('world-atlas/land-110m.json');
  const topology = JSON.parse(readFileSync(path, 'utf8'));
  const land = feature(topology, topology.objects.land) as unknown as {
    features: { geometry: { type: string; coordinates: Ring[][] } }[];
  };
  const rings = land.features.flatMap(({ geometry }) => geometry.coordinates.flat());
  const lines = rings
    .filter((ring) => ring.some(([, north]) => north > -58))
    .flatMap(unwrap)
    .map((ring) => ring.map(([east, north]) => `${round((east + 180) * 2)} ${round((NORTH - north) * 2)}`))
    .map((points) => `M${points.join('L')}z`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}"><title>Land of the Earth</title><path fill="#8f9a93" d="${lines.join('')}"/></svg>\n`;
}

/**
 * A ring that crosses 180° jumps from one edge of the map to the other. Followed without jumps it leaves the map on one
 * side, so it is drawn once more a turn away; what is outside the drawing is cut off by its frame.
 */
function unwrap(ring: Ring): Ring[] {
  let turns = 0;
  const followed = ring.map(([east, north], i) => {
    const step = i === 0 ? 0 : east - ring[i - 1][0];
    if (step > 180) turns--;
    if (step < -180) turns++;
    return [east + 360 * turns, north];
  });
  const shifted = (by: number) => followed.map(([east, north]) => [east + by, north]);
  const isBeyond = (edge: (east: number) => boolean) => followed.some(([east]) => edge(east));
  return [
    followed,
    ...(isBeyond((east) => east > 180) ? [shifted(-360)] : []),
    ...(isBeyond((east) => east < -180) ? [shifted(360)] : []),
  ];
}

const round = (units: number) => Number(units.toFixed(0));

export const LAND_FILE = fileURLToPath(new URL('../../../../browser/pages/land/land.svg', import.meta.url));

// `npx node` on this file writes the drawing that the page shows.
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(LAND_FILE, drawLand());
