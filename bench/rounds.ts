/** One that is measured. Its sample is a rate whose answers have all been checked. */
export type Contender = {
  name: string;
  /** The name of the contender that it is held against, or null for a baseline. */
  baseline: string | null;
  /** @throws WrongAnswer */
  sample(): Sample | Promise<Sample>;
};

export type Sample = { perSecond: number; checked: number };

/** What came of one contender: a rate for each round, in the order of the rounds. */
export type Row = { name: string; baseline: string | null; perSecond: number[]; checked: number };

/**
 * Measures every contender once a round, after one round that is thrown away (the compiler warms up in it) unless the
 * contenders warm up by themselves.
 * The order is reversed each round, so that none has always the warmer or the busier machine.
 */
export async function runRounds(
  contenders: readonly Contender[],
  rounds: number,
  { isWarm = false } = {},
): Promise<Row[]> {
  const rows = contenders.map(({ name, baseline }): Row => ({ name, baseline, perSecond: [], checked: 0 }));
  for (let round = isWarm ? 1 : 0; round <= rounds; round++) {
    const order = [...contenders.keys()];
    if (round % 2 === 1) order.reverse();
    for (const i of order) {
      const { perSecond, checked } = await contenders[i].sample();
      if (round === 0) continue;
      rows[i].perSecond.push(perSecond);
      rows[i].checked += checked;
    }
  }
  return rows;
}
