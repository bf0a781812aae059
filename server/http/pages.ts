import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from './request-state.ts';

/**
 * Content-Security-Policy of every page (CSP level 3): nothing from elsewhere, no inline script or style, and script
 * URLs only through the one Trusted Types policy `gatehouse`.
 */
export const PAGE_CSP = [
  "default-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types gatehouse',
].join('; ');

/**
 * Sends a page; `values` fill its `__NAME__` slots, a text as it is and anything else as JSON, escaped so that it may
 * stand in the text of an element or in a quoted attribute.
 */
export type Page = (ctx: Context, values?: Record<string, unknown>) => void;

/** A built page of `folder`, read once. */
export function readPage(folder: string, file: string): Page {
  const html = readFileSync(join(folder, file), 'utf8');
  return function sendPage(ctx, values = {}) {
    ctx.type = 'html';
    ctx.set('Content-Security-Policy', PAGE_CSP);
    ctx.set('Referrer-Policy', 'same-origin');
    ctx.body = Object.entries(values).reduce(
      (text, [name, value]) =>
        text.replaceAll(`__${name}__`, () =>
          escapeHtml(typeof value === 'string' ? value : JSON.stringify(value)),
        ),
      html,
    );
  };
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character]);
