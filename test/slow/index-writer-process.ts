import { makePage } from '../index-pages.ts';
import { openIndex } from '../open-index.ts';

// Writes, replaces and removes pages until it is killed, and says on its output what was acknowledged, a line each.
const [folder, round] = process.argv.slice(2);
const { index } = await openIndex({ folder });
for (let n = 0; ; n++) {
  const names = [0, 1, 2, 3].map((k) => `r${round}-${n * 4 + k}`);
  const pages = names.map((name, k) =>
    makePage(name, { title: `title ${name}`, body: `apple word${n % 50} ${name} version${k}` }),
  );
  await index.put('site', pages, 1_000_000);
  process.stdout.write(`put ${names.join(' ')}\n`);
  if (n % 3 === 2) {
    await index.remove('site', [pages[0].id]);
    process.stdout.write(`remove ${names[0]}\n`);
    await index.put('site', [{ ...pages[1], body: 'pear replaced' }], 1_000_000);
    process.stdout.write(`replace ${names[1]}\n`);
  }
}
