import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdSubmit } from '../../../browser/widget/hold-submit.ts';

/** A root with one form, whose submits the test sends; `requestSubmit` sends another, as a browser does. */
function fakeForm() {
  const root = new EventTarget();
  const went: unknown[] = [];
  const state = { mustHold: true, holds: 0, gone: null as unknown };
  const form = {
    requestSubmit(submitter?: unknown) {
      if (submitter !== undefined && submitter === state.gone)
        throw new DOMException('gone', 'NotFoundError');
      submit(submitter ?? null);
    },
  };
  const submit = (submitter: unknown, target: unknown = form) => {
    const event = new Event('submit', { cancelable: true });
    Object.defineProperty(event, 'target', { value: target });
    Object.assign(event, { submitter });
    if (root.dispatchEvent(event)) went.push(submitter);
  };
  const hold = holdSubmit({
    root,
    form: () => form as unknown as HTMLFormElement,
    mustHold: () => state.mustHold,
    onHold: () => state.holds++,
  });
  return { hold, submit, went, state };
}

test('a submit that may not go is held, and goes once by the last button', () => {
  const { hold, submit, went, state } = fakeForm();
  submit('first');
  submit('second');
  assert.equal(hold.isHeld(), true);
  assert.equal(state.holds, 2);
  state.mustHold = false;
  hold.release();
  hold.release();
  assert.deepEqual(went, ['second']);
});

test('a submit that may go, and one of another form, goes through', () => {
  const { hold, submit, went, state } = fakeForm();
  submit('other', {});
  state.mustHold = false;
  submit('ours');
  assert.deepEqual(went, ['other', 'ours']);
  assert.equal(hold.isHeld(), false);
});

test('a form goes without its button where that is gone', () => {
  const { hold, submit, went, state } = fakeForm();
  submit('button');
  state.mustHold = false;
  state.gone = 'button';
  hold.release();
  assert.deepEqual(went, [null]);
});

test('what is dropped is not sent, and after the end nothing is held', () => {
  const { hold, submit, went, state } = fakeForm();
  submit('a');
  hold.drop();
  hold.release();
  assert.deepEqual(went, []);
  hold.end();
  submit('b');
  assert.deepEqual(went, ['b']);
  assert.equal(state.holds, 1);
});
