import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TrustedTypes, workerUrlPolicy } from '../../../browser/solver/worker-url-policy.ts';

/** As a browser that has Trusted Types, whose CSP says `trusted-types gatehouse`: one policy of that name. */
function enforcing(): TrustedTypes {
  const made = new Set<string>();
  return {
    createPolicy(name, { createScriptURL }) {
      if (name !== 'gatehouse' || made.has(name)) throw new TypeError(`policy ${name} disallowed`);
      made.add(name);
      return { createScriptURL: (url) => ({ trusted: createScriptURL(url) }) };
    },
  };
}

test('makes one policy, at the first use, and trusts our own URL as often as asked', () => {
  const trust = workerUrlPolicy(enforcing(), '/pow/assets/worker.js');
  assert.deepEqual(trust('/pow/assets/worker.js'), { trusted: '/pow/assets/worker.js' });
  assert.deepEqual(trust('/pow/assets/worker.js'), { trusted: '/pow/assets/worker.js' });
});

for (const trustedTypes of [enforcing(), undefined]) {
  test(`refuses every other URL ${trustedTypes ? 'with' : 'without'} Trusted Types`, () => {
    const trust = workerUrlPolicy(trustedTypes, '/pow/assets/worker.js');
    for (const url of [
      '/other.js',
      'https://evil.example/pow/assets/worker.js',
      'data:text/javascript,1',
      '',
    ]) {
      assert.throws(() => trust(url), /worker URL: expected \/pow\/assets\/worker.js/);
    }
  });
}

test('stays text where the browser has no Trusted Types', () => {
  assert.equal(workerUrlPolicy(undefined, '/w.js')('/w.js'), '/w.js');
});
