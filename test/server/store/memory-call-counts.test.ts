import { openMemoryCallCounts } from '../../../server/store/memory-call-counts.ts';
import { testCallCounts } from '../../contract/call-counts.ts';

testCallCounts('memory', async () => ({ clients: [openMemoryCallCounts], close: async () => {} }));
