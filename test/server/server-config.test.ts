import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigError } from '../../server/config-error.ts';
import { readServerConfig } from '../../server/server-config.ts';
import { asStranger } from '../as-stranger.ts';
import { makeFolder } from '../temporary-folder.ts';

const { folder, remove } = makeFolder();
after(remove);
const at = (name: string) => join(folder, name);
// The folder itself can be entered by everyone, so that what is refused is the file.
chmodSync(folder, 0o755);
mkdirSync(at('folder'));
mkdirSync(at('private'));
writeFileSync(at('private/inner'), 'hidden');
chmodSync(at('private'), 0o700);
writeFileSync(at('empty'), '\n');
writeFileSync(at('broken'), '{"siteKey": "hidden",\n "secret" hidden}');
writeFileSync(at('latin'), Buffer.from([0x7b, 0x22, 0xe4, 0x22, 0x7d]));
writeFileSync(at('large'), Buffer.alloc(4 * 1_048_576 + 1, 32));
writeFileSync(at('locked'), '{}');
chmodSync(at('locked'), 0);
symlinkSync(at('circle'), at('circle'));
execFileSync('mkfifo', [at('pipe')]);

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    asStranger(() => readServerConfig({ DATA_DIR: at('never-used'), ...env }));
  } catch (error) {
    assert.ok(error instanceof ConfigError, (error as Error).stack);
    // The data folder is not a stranger's to make here.
    return error.faults.filter((fault) => !fault.startsWith('DATA_DIR') || env.DATA_DIR !== undefined);
  }
  return [];
}

const JSON_FILES = ['GATE_POLICY', 'CAPTCHA_CONFIG', 'CHAT_CONFIG'];
const SECRET_FILES = ['POW_KEYS_FILE', 'ADMIN_KEY_FILE', 'REDIS_URL_FILE'];

const OF_EVERY_FILE: Record<string, RegExp> = {
  none: /found nothing there: correct the path, or make the file$/,
  'none/deeper': /found nothing there/,
  'empty/deeper': /a part of its path is no folder: correct the path$/,
  folder: /found a folder: name a file in it$/,
  empty: /found an empty file: write it, or name another$/,
  latin: /expected text in UTF-8: save it so$/,
  large: /expected at most 4194304 bytes, found 4194305/,
  locked: /may not read it: change its owner or its mode$/,
  circle: /symbolic links lead in a circle/,
  pipe: /expected a regular file/,
};

for (const name of [...JSON_FILES, ...SECRET_FILES]) {
  for (const [file, reason] of Object.entries(OF_EVERY_FILE)) {
    test(`${name} that is ${file}: one line with the variable, the path and what to do`, () => {
      const [fault, ...others] = faultsOf({ [name]: at(file) });
      assert.deepEqual(others, []);
      assert.ok(fault.startsWith(`${name} ${at(file)}: `), fault);
      assert.match(fault, reason);
      assert.doesNotMatch(fault, /\n|E[A-Z]{4,}/);
    });
  }
}

for (const name of JSON_FILES) {
  test(`${name} that is no JSON: the place is told, and not the text`, () => {
    const [fault] = faultsOf({ [name]: at('broken') });
    assert.equal(
      fault,
      `${name} ${at('broken')}: expected JSON, faulty at line 2, column 11: correct it there`,
    );
  });

  test(`${name} of a wrong shape: each fault with the variable and the path`, () => {
    writeFileSync(at('shape'), '[]');
    const faults = faultsOf({ [name]: at('shape') });
    assert.ok(faults.length > 0);
    for (const fault of faults) assert.ok(fault.startsWith(`${name} ${at('shape')}: `), fault);
  });
}

for (const name of SECRET_FILES) {
  test(`${name} of another content: the twin and the path, and not the text`, () => {
    writeFileSync(at('secret'), 'hidden\n');
    const [fault, ...others] = faultsOf({ [name]: at('secret') });
    assert.deepEqual(others, []);
    assert.ok(fault.startsWith(`${name} ${at('secret')}: `), fault);
    assert.doesNotMatch(fault, /hidden/);
  });
}

test('a provider key in a file that cannot be read: the twin and the path', () => {
  writeFileSync(at('chat'), '{"models":{"a":{"provider":"openai","apiKeyEnv":"MY_KEY"}}}');
  const [fault] = faultsOf({ CHAT_CONFIG: at('chat'), MY_KEY_FILE: at('folder') });
  assert.match(fault, /^CHAT_CONFIG \S+: MY_KEY_FILE \S+\/folder: expected a file, found a folder/);
});

for (const [path, reason] of Object.entries({
  none: /expected a folder, found nothing there/,
  empty: /expected a folder, found a file/,
  'empty/x': /expected a folder, found nothing there/,
  private: /may not read it/,
})) {
  test(`GEOIP_DIR that is ${path}`, () => {
    const [fault, ...others] = faultsOf({ GEOIP_DIR: at(path) });
    assert.deepEqual(others, []);
    assert.ok(fault.startsWith(`GEOIP_DIR ${at(path)}: `), fault);
    assert.match(fault, reason);
  });
}

test('a byte order mark is no fault', () => {
  writeFileSync(at('marked'), '\ufeff{"routes": []}');
  assert.deepEqual(faultsOf({ GATE_POLICY: at('marked') }), []);
});

test('what is wrong is told all at once, and nothing is made', () => {
  const faults = faultsOf({
    PORT: 'http',
    POW_KEYS_FILE: at('none'),
    GATE_POLICY: at('none'),
    CAPTCHA_CONFIG: at('broken'),
    CHAT_CONFIG: at('folder'),
    GEOIP_DIR: at('none'),
    DATA_DIR: at('empty'),
  });
  const names = [
    'PORT',
    'POW_KEYS_FILE',
    'GATE_POLICY',
    'CAPTCHA_CONFIG',
    'CHAT_CONFIG',
    'GEOIP_DIR',
    'DATA_DIR',
  ];
  assert.deepEqual(
    faults.map((fault) => fault.split(/[ :]/)[0]),
    names,
  );
  assert.ok(!existsSync(at('never-used')));
});

test('a good configuration makes its data folder for its owner alone, and no more', () => {
  const data = at('deep/data');
  assert.equal(readServerConfig({ DATA_DIR: data }).DATA_DIR, data);
  assert.deepEqual(readdirSync(data), []);
});
