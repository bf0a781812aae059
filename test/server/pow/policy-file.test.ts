import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { nodeDigest } from '../../../server/base/system.ts';
import { findRoute } from '../../../server/pow/core/policy.ts';
import { BUILT_IN_POLICY, PolicyError, readPolicy } from '../../../server/pow/policy-file.ts';

const folder = new URL('policies/', import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(new URL(path, folder), 'utf8'));

for (const file of readdirSync(new URL('good/', folder))) {
  test(`${file} is taken`, () => void readPolicy(read(`good/${file}`), nodeDigest));
}

for (const file of readdirSync(new URL('bad/', folder))) {
  test(`${file} is refused with a reason`, () => {
    assert.throws(
      () => readPolicy(read(`bad/${file}`), nodeDigest),
      (error) =>
        error instanceof PolicyError &&
        error.faults.length > 0 &&
        error.faults.every((line) => /^\S+: ./.test(line)),
    );
  });
}

test('every fault of a file is told at once, each with its place', () => {
  const { faults } = assertThrows(() => readPolicy(read('bad/every-fault.json'), nodeDigest));
  const places = [
    'defaults.difficulty_bits',
    'defaults.challenge_ttl_secs',
    'defaults.passport_ttl_secs',
    'file', // the misspelt member
    'load', // the one in there
    'load.solves_per_sec',
    'load.in_flight',
    'load.max_extra_bits',
    'load.rise_secs',
    'load.fall_secs',
    'dry_run',
    'routes[0].dry_run',
    'routes[0].id',
    'routes[0].paths',
    'routes[1].methods[0]',
    'routes[1].paths[0]',
    'routes[2].id',
    'routes[2].paths[0]',
    'routes[2].difficulty_bits',
    'routes[2].exempt.networks[0]',
    'routes[2].exempt.paths[0]',
    'routes[2].exempt.user_agents[0]',
    'routes[2].exempt.verified_bots[0]',
    'routes[3]',
  ];
  const told = new Set(faults.map((line) => line.slice(0, line.indexOf(':'))));
  assert.deepEqual([...told].sort(), [...places].sort());
});

function assertThrows(read: () => unknown): PolicyError {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof PolicyError);
    return error;
  }
  assert.fail('nothing was thrown');
}

test('a route takes what it does not say from the defaults', () => {
  const { routes } = readPolicy(read('good/full.json'), nodeDigest);
  assert.deepEqual(routes[0].terms, { difficultyBits: 20, challengeTtlSecs: 90, passportTtlSecs: 0 });
  assert.deepEqual(routes[1].terms, { difficultyBits: 18, challengeTtlSecs: 120, passportTtlSecs: 3_600 });
});

test('load raises the price unless the operator says otherwise', () => {
  const { load } = readPolicy({ routes: [] }, nodeDigest);
  assert.deepEqual(load, { solvesPerSec: 50, inFlight: 100, maxExtraBits: 4, riseSecs: 10, fallSecs: 60 });
  assert.deepEqual(readPolicy(read('good/full.json'), nodeDigest).load, {
    solvesPerSec: 0.5,
    inFlight: 20,
    maxExtraBits: 2,
    riseSecs: 30,
    fallSecs: 120,
  });
});

test('dry-run is for the whole file, where a route does not say otherwise', () => {
  const isDryRun = (file: object) =>
    readPolicy(
      { ...file, routes: [{ id: 'a', paths: ['/a'] }, ...((file as { routes?: [] }).routes ?? [])] },
      nodeDigest,
    ).routes.map((route) => route.isDryRun);
  const routes = [
    { id: 'on', paths: ['/on'], dry_run: true },
    { id: 'off', paths: ['/off'], dry_run: false },
  ];
  assert.deepEqual(isDryRun({ routes }), [false, true, false]);
  assert.deepEqual(isDryRun({ routes, dry_run: true }), [true, true, false]);
});

test('the defaults are those of the public tier', () => {
  const { defaults } = readPolicy({ routes: [] }, nodeDigest);
  assert.deepEqual(defaults, { difficultyBits: 20, challengeTtlSecs: 60, passportTtlSecs: 1_800 });
});

test('the tag of a route is the start of the SHA-256 of its id', () => {
  const { routes } = readPolicy({ routes: [{ id: 'abc', paths: ['/'] }] }, nodeDigest);
  // FIPS 180-4 example: SHA-256("abc") = ba7816bf 8f01cfea …
  assert.equal(routes[0].tag, 0xba7816bf);
});

test('the built-in policy gates the demo by passport and the chat per request', () => {
  const policy = readPolicy(BUILT_IN_POLICY, nodeDigest);
  assert.equal(findRoute(policy, 'GET', '/demo/')?.terms.passportTtlSecs, 1_800);
  for (const path of ['/chat', '/v1/chat/completions', '/v1/messages']) {
    assert.equal(findRoute(policy, 'POST', path)?.terms.passportTtlSecs, 0, path);
    assert.equal(findRoute(policy, 'GET', path), null, path);
  }
  for (const path of ['/', '/pow/challenge', '/openapi.json'])
    assert.equal(findRoute(policy, 'GET', path), null, path);
});

test('of two routes that match, the first of the file gates', () => {
  const policy = readPolicy(
    {
      routes: [
        { id: 'narrow', paths: ['/a/b'] },
        { id: 'wide', paths: ['/a/*'] },
      ],
    },
    nodeDigest,
  );
  assert.equal(findRoute(policy, 'GET', '/a/b')?.id, 'narrow');
  assert.equal(findRoute(policy, 'GET', '/a/c')?.id, 'wide');
});

test('the signup score counts where the file says so alone', () => {
  assert.equal(readPolicy({ routes: [] }, nodeDigest).usesIpScore, false);
  assert.equal(readPolicy({ ip_score: true, routes: [] }, nodeDigest).usesIpScore, true);
  assert.throws(() => readPolicy({ ip_score: 'yes', routes: [] }, nodeDigest), { name: 'PolicyError' });
});
