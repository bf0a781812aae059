import { definePowGate } from './pow-gate.ts';

// The script of /pow/widget.js. Nothing that goes wrong in here may stop the page that loads it.
try {
  definePowGate();
} catch (error) {
  console.error('<pow-gate> could not be set up', error);
}
