import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { FAILURES, failureText } from '../../../browser/pages/failure-text.ts';
import { chooseLanguage, LANGUAGES } from '../../../browser/pages/language.ts';
import { VERIFY_TEXT } from '../../../browser/pages/verify-text.ts';

test('the visitor’s first language that we have is taken', () => {
  assert.equal(chooseLanguage(['de-AT', 'en']), 'de');
  assert.equal(chooseLanguage(['fr', 'DE']), 'de');
  assert.equal(chooseLanguage(['en-GB', 'de']), 'en');
  assert.equal(chooseLanguage(['fr', 'den']), 'en');
  assert.equal(chooseLanguage([]), 'en');
});

test('every language says something of its own for every key', () => {
  const same = new Set(['route', 'workers']);
  for (const language of LANGUAGES.filter((name) => name !== 'en')) {
    for (const [key, value] of Object.entries(VERIFY_TEXT[language])) {
      if (typeof value !== 'string' || same.has(key)) continue;
      assert.ok(value.length > 0, key);
      assert.notEqual(value, VERIFY_TEXT.en[key as keyof typeof VERIFY_TEXT.en], `${language}.${key}`);
    }
    assert.deepEqual(Object.keys(FAILURES[language]), Object.keys(FAILURES.en));
  }
});

test('the English in verify.html is the English of the table', async () => {
  const html = await readFile(new URL('../../../browser/pages/verify.html', import.meta.url), 'utf8');
  const table: Record<string, unknown> = VERIFY_TEXT.en;
  const marked = [...html.matchAll(/data-text="(\w+)"[^>]*>([^<]*)</g)];
  assert.ok(marked.length > 10);
  for (const [, key, text] of marked) assert.equal(text, table[key as string], key);
  for (const [, label, key] of html.matchAll(/aria-label="([^"]*)" data-label="(\w+)"/g)) {
    assert.equal(label, table[key as string], key);
  }
  assert.equal(/<title>(.*)<\/title>/.exec(html)?.[1], table.title);
});

test('the pages hold each token once, and nothing that the CSP forbids', async () => {
  const read = (name: string) => readFile(new URL(`../../../browser/pages/${name}`, import.meta.url), 'utf8');
  const pages = {
    'verify.html': '__GATE__',
    'demo.html': '__ADMISSION__',
    'frame.html': '__ORIGIN__',
    'widget.html': '__ANSWER__',
    'index.html': null,
  };
  for (const [name, token] of Object.entries(pages)) {
    const html = await read(name);
    if (token) assert.equal(html.split(token).length, 2, `${token} in ${name}`);
    assert.doesNotMatch(
      html,
      /\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc=)|(?<!<a href=")https?:\/\/(?!localhost)/,
      name,
    );
    // A challenged page that says noindex drops out of the search engines with the page behind it.
    assert.doesNotMatch(html, /noindex/, name);
  }
});

test('every failure has a sentence, an unknown code too', () => {
  assert.match(failureText('unreachable', 'en'), /reached/);
  assert.match(failureText('throttled', 'de'), /Minute/);
  for (const code of ['seal-invalid', 'never-heard-of', 'constructor', '__proto__']) {
    assert.equal(failureText(code, 'en'), FAILURES.en.other);
  }
});
