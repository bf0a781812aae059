/**
 * The looks of the widget. A page sets the `--pow-…` properties, or reaches an element by `::part`.
 *
 * Contrast of every pair of text is AA or better in both themes. Directions are logical, so that right-to-left needs
 * nothing of its own. The sheet is constructed, which no policy for styles forbids.
 */
export const SHEET = `
:host {
  --b: var(--pow-background, #ffffff);
  --c: var(--pow-color, #18201c);
  --m: var(--pow-muted, #56615b);
  --l: var(--pow-border, #848e87);
  --t: var(--pow-track, #dcdfd9);
  --a: var(--pow-accent, #0f6a4c);
  --s: var(--pow-accent-soft, #dcebe3);
  display: inline-block;
  box-sizing: border-box;
  inline-size: var(--pow-width, 20rem);
  max-inline-size: 100%;
  vertical-align: top;
  text-align: start;
  font: var(--pow-font, 400 1rem/1.4 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, Cantarell, "Noto Sans", "Liberation Sans", Arial, system-ui, sans-serif);
}
:host([hidden]) { display: none }
:host([data-theme="dark"]) {
  --b: var(--pow-background, #181d1a);
  --c: var(--pow-color, #e8ece9);
  --m: var(--pow-muted, #a3ada7);
  --l: var(--pow-border, #76817b);
  --t: var(--pow-track, #2c332f);
  --a: var(--pow-accent, #74d3a7);
  --s: var(--pow-accent-soft, #1f3a2e);
}
@media (prefers-color-scheme: dark) {
  :host(:not([data-theme="light"])) {
    --b: var(--pow-background, #181d1a);
    --c: var(--pow-color, #e8ece9);
    --m: var(--pow-muted, #a3ada7);
    --l: var(--pow-border, #76817b);
    --t: var(--pow-track, #2c332f);
    --a: var(--pow-accent, #74d3a7);
    --s: var(--pow-accent-soft, #1f3a2e);
  }
}
[part~="box"] {
  position: relative;
  box-sizing: border-box;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.5rem 0.75rem;
  min-block-size: 4.75rem;
  padding: 0.75rem 1rem;
  overflow: hidden;
  border: 1px solid var(--l);
  border-radius: var(--pow-radius, 6px);
  background: var(--b);
  color: var(--c);
}
[part~="box"]:focus { outline: none }
[part~="box"]:focus-visible, button:focus-visible { outline: 3px solid var(--a); outline-offset: 2px }
[part~="icon"] {
  flex: none;
  inline-size: 2.5rem;
  block-size: 2.25rem;
  fill: none;
  stroke: currentColor;
  stroke-width: 3;
  stroke-linejoin: round;
}
.opening { fill: var(--s); stroke: none }
.bars { transform: translateY(calc(var(--raised, 0) * -60px)); transition: transform 0.2s linear }
[data-state="solved"] .opening { fill: var(--a) }
.words { flex: 1 1 8rem; min-inline-size: 0 }
[data-state="error"] .words, [data-state="expired"] .words { flex-basis: 70% }
p { margin: 0; overflow-wrap: break-word }
[part~="label"] { font-weight: 600 }
[part~="note"] { color: var(--m); font-size: 0.875em; font-variant-numeric: tabular-nums }
button {
  flex: none;
  min-block-size: 2.75rem;
  padding: 0.25rem 1rem;
  border: 1px solid var(--a);
  border-radius: var(--pow-radius, 6px);
  background: transparent;
  color: var(--a);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
  touch-action: manipulation;
}
button:hover { background: var(--s) }
button:disabled { opacity: 0.55; cursor: default }
progress {
  position: absolute;
  inset-inline: 0;
  inset-block-end: 0;
  inline-size: 100%;
  block-size: 4px;
  border: 0;
  appearance: none;
  background: var(--t);
  color: var(--a);
}
progress::-webkit-progress-bar { background: var(--t) }
progress::-webkit-progress-value { background: var(--a) }
progress::-moz-progress-bar { background: var(--a) }
[hidden] { display: none !important }
[role="status"] {
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
@media (prefers-reduced-motion: reduce) { .bars { transition: none } }
@media (forced-colors: active) { button { color: ButtonText; border-color: ButtonText } [data-state="solved"] .opening { fill: Highlight } }
`;
