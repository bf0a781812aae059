import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeDigest } from '../../../../server/base/system.ts';
import {
  fingerprintOf,
  readHeaders,
  redactHeaders,
  redactTarget,
} from '../../../../server/ip/core/headers.ts';

const sha256 = (text: string) => nodeDigest.sha256(new TextEncoder().encode(text));
const fingerprint = (headers: Record<string, string>) => fingerprintOf(readHeaders(headers), sha256);

test('the fingerprint of version 1 stays what it is', () => {
  assert.equal(fingerprint({ 'User-Agent': 'a', Accept: 'b' }), 'b5f56d11d2755dc51665cb24a7a6aaa7');
});

test('the fingerprint follows the browser, not its cookies or the case of names', () => {
  const base = { 'User-Agent': 'a', Accept: '*/*' };
  assert.equal(fingerprint({ ...base, Cookie: 'x=1', Referer: 'y' }), fingerprint(base));
  assert.equal(fingerprint({ 'user-agent': 'a', ACCEPT: '*/*' }), fingerprint(base));
  assert.notEqual(fingerprint({ ...base, 'Accept-Language': 'de' }), fingerprint(base));
  assert.notEqual(
    fingerprint({ 'User-Agent': 'a', Accept: 'b' }),
    fingerprint({ 'User-Agent': 'b', Accept: 'a' }),
    'values do not change places',
  );
});

test('what could be a secret is not shown, whatever its case', () => {
  const shown = redactHeaders({
    Cookie: 'pow_passport=s',
    AUTHORIZATION: 'Bearer s',
    'x-api-key': 's',
    'Proxy-Authorization': 's',
    PoW: 's',
    'X-CSRF-Token': 's',
    'X-Session-Id': 's',
    Accept: '*/*',
    __proto__: 'own',
  });
  for (const [name, value] of Object.entries(shown)) {
    assert.equal(value, name === 'Accept' ? '*/*' : '[redacted]', name);
  }
  assert.equal(Object.getPrototypeOf(redactHeaders(JSON.parse('{"__proto__": "x"}'))), Object.prototype);
});

test('a request target keeps its query but for secrets', () => {
  assert.equal(
    redactTarget('/inspect.json?queryIP=1.1.1.1&siteSecret=abc&a=1'),
    '/inspect.json?queryIP=1.1.1.1&siteSecret=[redacted]&a=1',
  );
  assert.equal(redactTarget('/x?api_key=k&TOKEN=t#f'), '/x?api_key=[redacted]&TOKEN=[redacted]');
  assert.equal(redactTarget('/x'), '/x');
});

for (const [target, shown] of [
  ['/x;token=t/y?a=1', '/x;token=[redacted]'],
  ['/x?a=b?secret=c&d=e', '/x?a=b?secret=[redacted]&d=e'],
  ['/x?a=1;key=k=l&b=2', '/x?a=1;key=[redacted]&b=2'],
  ['/x?password', '/x?password'],
  ['/key=v?a=secret', '/key=v?a=secret'],
  ['/x?=token&session==s', '/x?=token&session=[redacted]'],
]) {
  test(`${target} is shown as ${shown}`, () => assert.equal(redactTarget(target), shown));
}

// One pattern for the whole target took forty seconds for such a head, on one anonymous request.
test('a head full of names that look like secrets is shown at once', () => {
  const before = process.cpuUsage();
  for (const piece of ['?secret', 'secret', '&secret', '?', '&', '=', ';secret=', '=?key', '?secret=']) {
    const target = `/inspect.json?${piece.repeat(16_000 / piece.length)}`;
    assert.equal(redactTarget(target).startsWith('/inspect.json?'), true);
  }
  const { user } = process.cpuUsage(before);
  assert.ok(user < 2_000_000, `${user} µs`);
});
