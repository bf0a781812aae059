import { readFileSync } from 'node:fs';

/** The cases of a vector file in this folder. */
export function readVectors<Case>(file: string): Case[] {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')).cases;
}

export const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));
export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
