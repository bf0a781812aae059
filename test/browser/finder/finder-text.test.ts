import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseWording, FINDER_LANGUAGES, fill } from '../../../browser/finder/finder-text.ts';

const slotsOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([slot]) => slot).sort();

test('the bar speaks at least English, German, French and Spanish', () => {
  for (const language of ['en', 'de', 'fr', 'es']) assert.ok(FINDER_LANGUAGES.includes(language), language);
});

const english = chooseWording(['en']).text;

for (const language of FINDER_LANGUAGES) {
  test(`${language} has every text, with the slots of the English one`, () => {
    const { text, count } = chooseWording([language]);
    const names = Object.keys(english) as (keyof typeof english)[];
    assert.deepEqual(Object.keys(text), names);
    for (const name of names) {
      assert.ok(text[name]?.trim(), name);
      assert.deepEqual(slotsOf(text[name]), slotsOf(english[name]), name);
      if (language !== 'en') assert.notEqual(text[name], english[name], name);
    }
    assert.match(count(1234), /1.?234|١٬٢٣٤/);
  });
}

test('one result is told as one', () => {
  assert.deepEqual([0, 1, 2].map(chooseWording(['en']).count), ['0 results', '1 result', '2 results']);
  // French counts nothing as one (CLDR).
  assert.equal(chooseWording(['fr']).count(0), '0 résultat');
});

for (const [preferred, language, direction] of [
  [['de-AT', 'en'], 'de', null],
  [['FR'], 'fr', null],
  [['sv', 'es-419'], 'es', null],
  [['ar-EG'], 'ar', 'rtl'],
  [['tlh'], 'en', null],
  [[''], 'en', null],
  [[], 'en', null],
] as const) {
  test(`${preferred.join(', ') || 'nothing'}: ${language}`, () => {
    const wording = chooseWording(preferred);
    assert.deepEqual([wording.language, wording.direction], [language, direction]);
  });
}

test('what a visitor typed is no slot', () =>
  assert.equal(fill('a {query} {n}', { query: '{n}' }), 'a {n} {n}'));
