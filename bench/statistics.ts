/** What a list of samples comes to. */
export type Summary = { median: number; least: number; most: number };

/**
 * Median and range of one or more samples. The range and not a standard deviation: on a shared machine the slow samples
 * are other people's work, and a reader should see how far they went.
 * @throws RangeError when there is no sample
 */
export function summarise(samples: readonly number[]): Summary {
  const sorted = samples.toSorted((a, b) => a - b);
  return { median: median(sorted), least: sorted[0], most: sorted[sorted.length - 1] };
}

/** The middle sample; between the two middle ones where their number is even. */
export function median(samples: readonly number[]): number {
  if (samples.length === 0) throw new RangeError('a median needs at least one sample, got none');
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * `samples` over `baseline`, round by round, then summed up: what slows the machine for a while slows both of one
 * round, and so leaves the ratio.
 * @throws RangeError when the lists have not the same length
 */
export function ratioOf(samples: readonly number[], baseline: readonly number[]): Summary {
  if (samples.length !== baseline.length) {
    throw new RangeError(
      `a ratio needs as many samples on both sides, got ${samples.length} and ${baseline.length}`,
    );
  }
  return summarise(samples.map((sample, round) => sample / baseline[round]));
}

/** The exponent of the power law through the points: the slope of the least-squares line through their logarithms. */
export function fitExponent(sizes: readonly number[], values: readonly number[]): number {
  const x = sizes.map(Math.log);
  const y = values.map(Math.log);
  const mean = (of: readonly number[]) => of.reduce((sum, value) => sum + value, 0) / of.length;
  const [mx, my] = [mean(x), mean(y)];
  const covariance = x.reduce((sum, value, i) => sum + (value - mx) * (y[i] - my), 0);
  return covariance / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}
