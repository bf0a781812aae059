import { threadCpuMs } from './cpu-clock.ts';
import type { Sample } from './rounds.ts';
import { expectRight } from './wrong-answer.ts';

/** Something done over and over in this process. `i` counts up from 0 and picks the input. */
export type Operation<Answer = unknown> = {
  name: string;
  baseline: string | null;
  operate(i: number): Answer;
  /** Whether the answer of `operate(i)` is right; by other means than those measured, where there are any. */
  isRight(answer: Answer, i: number): boolean;
};

/** Keeps the type of the answers between `operate` and `isRight`, and forgets it in the list. */
export const operation = <Answer>(declared: Operation<Answer>) => declared as Operation;

// Few enough to stay in the cache, enough that reading the clock costs nothing.
const BATCH = 500;

/**
 * The rate of an operation over about `sampleMs` of its own processor time. Answers are kept and checked between the batches,
 * while the clock stands.
 * @throws WrongAnswer
 */
export function sampleOperation({ name, operate, isRight }: Operation, sampleMs: number): Sample {
  const answers = new Array<unknown>(BATCH);
  let spentMs = 0;
  let checked = 0;
  while (spentMs < sampleMs) {
    const startedMs = threadCpuMs();
    for (let i = 0; i < BATCH; i++) answers[i] = operate(checked + i);
    spentMs += threadCpuMs() - startedMs;
    for (let i = 0; i < BATCH; i++, checked++) {
      const detail = () => `operation ${checked} gave ${String(answers[i]).slice(0, 200)}`;
      expectRight(name, () => isRight(answers[i], checked), detail);
    }
  }
  return { perSecond: (checked / spentMs) * 1000, checked };
}
