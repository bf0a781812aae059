/** How good rankings are: each measure over the queries that have a relevant page, averaged. */
export type Quality = { ndcg10: number; map: number; mrr: number };

/**
 * @param ranked by query: ids, the best first
 * @param relevant by query: the ids judged relevant (binary)
 */
export function meanQuality(
  ranked: ReadonlyMap<string, readonly string[]>,
  relevant: ReadonlyMap<string, ReadonlySet<string>>,
): Quality {
  const sum: Quality = { ndcg10: 0, map: 0, mrr: 0 };
  for (const [query, ids] of ranked) {
    const good = relevant.get(query) ?? new Set();
    let gain = 0;
    let found = 0;
    let precisions = 0;
    let first = 0;
    for (const [rank, id] of ids.entries()) {
      if (!good.has(id)) continue;
      found++;
      precisions += found / (rank + 1);
      if (first === 0) first = 1 / (rank + 1);
      if (rank < 10) gain += 1 / Math.log2(rank + 2);
    }
    let ideal = 0;
    for (let rank = 0; rank < Math.min(10, good.size); rank++) ideal += 1 / Math.log2(rank + 2);
    sum.ndcg10 += ideal > 0 ? gain / ideal : 0;
    sum.map += good.size > 0 ? precisions / good.size : 0;
    sum.mrr += first;
  }
  const queries = Math.max(1, ranked.size);
  return { ndcg10: sum.ndcg10 / queries, map: sum.map / queries, mrr: sum.mrr / queries };
}
