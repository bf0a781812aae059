import { parentPort, workerData } from 'node:worker_threads';
import { extractText, getDocumentProxy, getMeta } from 'unpdf';

// A thread of its own: a PDF may keep a processor busy, or eat memory, for as long as it likes.
const document = await getDocumentProxy(workerData as Uint8Array);
const { text } = await extractText(document, { mergePages: true });
const { info } = await getMeta(document).catch(() => ({ info: {} as Record<string, unknown> }));
parentPort?.postMessage({ title: typeof info.Title === 'string' ? info.Title : '', text });
