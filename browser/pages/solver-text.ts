import type { KernelName } from '../solver/protocol.ts';
import type { Language } from './language.ts';

/** What a page says about a search, and about one that failed. */
export type SolverText = {
  kernels: Record<KernelName, string>;
  measuring: string;
  toGo: string;
  taken: string;
  /** @param time a finished phrase such as "3 seconds" */
  about(time: string): string;
  /** For aria-valuetext and screen readers. */
  chance(percent: string): string;
  /** Told when a puzzle ran out before it was solved. */
  ranOut: string;
  /** Told while a busy server is waited for. @param secs whole seconds */
  busy(secs: number): string;
};

export const SOLVER_TEXT: Record<Language, SolverText> = {
  en: {
    kernels: {
      simd: 'WebAssembly, four lanes',
      scalar: 'WebAssembly, one lane',
      javascript: 'JavaScript, no WebAssembly',
    },
    measuring: 'measuring…',
    toGo: 'Time to go',
    taken: 'Time taken',
    about: (time) => `about ${time}`,
    chance: (percent) => `${percent} likely to be solved by now`,
    ranOut: 'The puzzle ran out. A new one is being solved.',
    busy: (secs) => `The server is busy. Trying again in ${secs} ${secs === 1 ? 'second' : 'seconds'}.`,
  },
  de: {
    kernels: {
      simd: 'WebAssembly, vier Spuren',
      scalar: 'WebAssembly, eine Spur',
      javascript: 'JavaScript, ohne WebAssembly',
    },
    measuring: 'wird gemessen…',
    toGo: 'Verbleibend',
    taken: 'Gebraucht',
    about: (time) => `etwa ${time}`,
    chance: (percent) => `mit ${percent} Wahrscheinlichkeit bis jetzt gelöst`,
    ranOut: 'Die Aufgabe ist abgelaufen. Eine neue wird gelöst.',
    busy: (secs) =>
      `Der Server ist ausgelastet. Neuer Versuch in ${secs} ${secs === 1 ? 'Sekunde' : 'Sekunden'}.`,
  },
};
