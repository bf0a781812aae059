import { createMemorySpent } from '../../../server/store/memory-spent.ts';
import { testSpent } from '../../contract/spent.ts';

testSpent('memory', async () => ({ spent: createMemorySpent(), close: async () => {} }));
