/** A contender gave an answer that is not right: its speed says nothing, and the benchmark fails. */
export class WrongAnswer extends Error {
  constructor(contender: string, detail: string, options?: ErrorOptions) {
    super(`"${contender}" gave a wrong answer: ${detail}`, options);
    this.name = 'WrongAnswer';
  }
}

/**
 * Holds an answer against its check; `detail` is what the message shows of it. A check that cannot even read the answer
 * finds it wrong.
 * @throws WrongAnswer
 */
export function expectRight(contender: string, isRight: () => boolean, detail: () => string): void {
  let cause: unknown;
  try {
    if (isRight()) return;
  } catch (error) {
    cause = error;
  }
  throw new WrongAnswer(contender, detail(), { cause });
}
