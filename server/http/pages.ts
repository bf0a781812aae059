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

/** What a page admits from elsewhere, by kind: CSP source expressions. */
export type ForeignSources = Record<'script' | 'frame' | 'connect' | 'style', readonly string[]>;

/**
 * The policy of a page that shows a widget of somebody else. Trusted Types are not enforced there: the widgets' scripts
 * write plain strings (`innerHTML = ""` is enough to stop one), and their policies have names that change.
 */
export function widgetCsp(sources: ForeignSources): string {
  const admitted = Object.entries(sources).map(([kind, list]) => [`${kind}-src 'self'`, ...list].join(' '));
  const kept = PAGE_CSP.split('; ').filter((directive) => !/trusted-types/.test(directive));
  return [...kept, ...admitted].join('; ');
}

const HTML = Symbol('HTML');

/** What fills a slot as markup: only what this server has made itself, with every text in it escaped. */
export const asHtml = (html: string) => ({ [HTML]: html });

/**
 * Sends a page; `values` fill its `__NAME__` slots, a text as it is and anything else as JSON, escaped so that it may
 * stand in the text of an element or in a quoted attribute. What `asHtml` gives is not escaped.
 */
export type Page = (ctx: Context, values?: Record<string, unknown>) => void;

/** A built page of `folder`, read once. */
export function readPage(folder: string, file: string, foreign: ForeignSources | null = null): Page {
  const html = readFileSync(join(folder, file), 'utf8');
  return function sendPage(ctx, values = {}) {
    ctx.type = 'html';
    ctx.set('Content-Security-Policy', foreign ? widgetCsp(foreign) : PAGE_CSP);
    // Providers look at the origin that a widget stands on; the path and query still stay here.
    ctx.set('Referrer-Policy', foreign ? 'strict-origin-when-cross-origin' : 'same-origin');
    // In one pass: a value may hold what looks like a slot.
    ctx.body = html.replace(/__([A-Z]+)__/g, (slot, name: string) => {
      if (!Object.hasOwn(values, name)) return slot;
      const value = values[name];
      if (typeof value === 'object' && value !== null && HTML in value) return String(value[HTML]);
      return escapeHtml(typeof value === 'string' ? value : JSON.stringify(value));
    });
  };
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character]);
