#!/usr/bin/env node
// Plain JavaScript, so that an older Node can read it far enough to say what is wrong.
const LEAST_MAJOR = 24;

if (Number.parseInt(process.versions.node, 10) < LEAST_MAJOR) {
  console.error(
    `Gatehouse needs Node ${LEAST_MAJOR} or newer, this is ${process.versions.node}. "npm start" brings its own.`,
  );
  process.exit(1);
}

const { main } = await import('./main.ts');
await main(process.argv.slice(2), process.env);
