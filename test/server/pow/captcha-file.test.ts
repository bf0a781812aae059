import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { CaptchaConfigError, readCaptchaConfig } from '../../../server/pow/captcha-file.ts';

const folder = new URL('../../fixtures/captcha/', import.meta.url);
const readText = (path: string) => readFileSync(new URL(path, folder), 'utf8');
const filesOf = (kind: string) => readdirSync(new URL(`${kind}/`, folder)).map((file) => `${kind}/${file}`);

describe('files that are taken', () => {
  for (const file of filesOf('good')) {
    test(file, () => {
      const settings = readCaptchaConfig(file, readText(file));
      assert.ok(settings.verifyUrl.startsWith('http'));
      assert.ok(settings.scriptUrl.startsWith('http'));
    });
  }

  test('one that names the provider alone has its defaults', () => {
    const settings = readCaptchaConfig('x', readText('good/hcaptcha.json'));
    assert.equal(settings.verifyUrl, 'https://api.hcaptcha.com/siteverify');
    assert.equal(settings.scriptUrl, 'https://js.hcaptcha.com/1/api.js');
    assert.equal(settings.hostname, null);
    assert.deepEqual(settings.ownOrigins, []);
  });

  test("a script of the operator's own is admitted with its origin", () => {
    const settings = readCaptchaConfig('x', readText('good/all-members.json'));
    assert.deepEqual(settings.ownOrigins, ['https://captcha.example.org']);
    assert.equal(settings.hostname, 'www.example.org');
  });

  test('the European endpoint of Friendly Captcha is the one that the widget speaks to', () => {
    const settings = readCaptchaConfig('x', readText('good/friendly-eu.json'));
    assert.deepEqual(settings.attributes, { 'api-endpoint': 'eu' });
  });
});

// Each file: what it holds, and the faults that must be told of it, all at once. No fault quotes the secret.
describe('files that are refused', () => {
  const expected = JSON.parse(readText('bad-faults.json')) as Record<string, string[]>;

  test('every one is here', () => {
    assert.deepEqual(Object.keys(expected).sort(), readdirSync(new URL('bad/', folder)).sort());
  });
  for (const [file, faults] of Object.entries(expected)) {
    test(file, () => {
      assert.throws(
        () => readCaptchaConfig(file, readText(`bad/${file}`)),
        (error: unknown) => {
          assert.ok(error instanceof CaptchaConfigError);
          assert.equal(error.faults.length, faults.length, error.message);
          for (const [i, fault] of faults.entries()) assert.match(error.faults[i], new RegExp(fault));
          assert.doesNotMatch(error.message + error.stack, /hush/);
          return true;
        },
      );
    });
  }
});
