/** A form whose sending waits for the check. */
export type SubmitHold = {
  isHeld(): boolean;
  /** Sends what was held, by the same button. */
  release(): void;
  /** Forgets it: the visitor sends again. */
  drop(): void;
  /** Ends the listening. */
  end(): void;
};

export type SubmitHoldDeps = {
  /** The form's root: a submit event does not leave the shadow tree that it happens in. */
  root: EventTarget;
  form(): HTMLFormElement | null;
  /** Whether a submit may not go through yet. */
  mustHold(): boolean;
  onHold(): void;
};

/**
 * Holds the submit of a form as long as `mustHold` says so.
 *
 * The listener stands at the root and in the capture phase, before any of the form's own: none of them sees an event that
 * is held, and each sees the one that goes through.
 */
export function holdSubmit({ root, form, mustHold, onHold }: SubmitHoldDeps): SubmitHold {
  let held: { submitter: HTMLElement | null } | null = null;
  const hold = (event: Event) => {
    if (event.target !== form() || !mustHold()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held = { submitter: (event as SubmitEvent).submitter };
    onHold();
  };
  root.addEventListener('submit', hold, { capture: true });

  return {
    isHeld: () => held !== null,
    release() {
      const waiting = held;
      held = null;
      const target = form();
      if (!waiting || !target) return;
      try {
        target.requestSubmit(waiting.submitter);
      } catch {
        // The button has gone from the form meanwhile.
        target.requestSubmit();
      }
    },
    drop() {
      held = null;
    },
    end() {
      held = null;
      root.removeEventListener('submit', hold, { capture: true });
    },
  };
}
