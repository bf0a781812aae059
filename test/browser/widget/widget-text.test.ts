import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FAILURES } from '../../../browser/pages/failure-text.ts';
import { LANGUAGES } from '../../../browser/pages/language.ts';
import {
  failureNote,
  fill,
  readOwnTexts,
  TEXT_NAMES,
  widgetText,
} from '../../../browser/widget/widget-text.ts';

test('every language says something of its own, with the same slots', () => {
  const slots = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  const english = widgetText('en', {});
  for (const language of LANGUAGES.filter((name) => name !== 'en')) {
    const text = widgetText(language, {});
    for (const name of TEXT_NAMES) {
      assert.notEqual(text[name], english[name], `${language}.${name}`);
      assert.deepEqual(slots(text[name]), slots(english[name]), `${language}.${name}`);
    }
  }
});

test('a page brings words of its own, and only words', () => {
  const own = readOwnTexts(
    '{"solved": "Klaar", "failure": "Mislukt", "unknown": "x", "error": 7, "__proto__": {"start": "x"}}',
  );
  assert.deepEqual({ ...own }, { solved: 'Klaar', failure: 'Mislukt' });
  assert.equal(widgetText('en', own).solved, 'Klaar');
  assert.equal(widgetText('en', own).start, 'Check');
  for (const none of [null, '', '  ', '{}']) assert.deepEqual(readOwnTexts(none), {});
});

test('words that are no JSON object are refused with what was expected', () => {
  for (const text of ['{', '[]', 'null', '"text"', '7']) {
    assert.throws(() => readOwnTexts(text), /data-texts: expected a JSON object, got/, text);
  }
});

test('a failure is told in the page’s words, in ours, or as the operator’s affair', () => {
  const text = widgetText('de', {});
  assert.equal(failureNote('throttled', 'de', text), FAILURES.de.throttled);
  assert.equal(failureNote('throttled', 'de', { ...text, failure: 'Mislukt' }), 'Mislukt');
  assert.equal(failureNote('origin-not-allowed', 'de', text), text.misconfigured);
});

test('slots are filled, and unknown ones left', () => {
  assert.equal(fill('{time} of {all}', { time: '$1' }), '$1 of {all}');
});

test('every name of a text stands in the documentation', () => {
  const page = readFileSync(new URL('../../../docs/widget.md', import.meta.url), 'utf8');
  for (const name of TEXT_NAMES) assert.ok(page.includes(`\`${name}\``), name);
});
