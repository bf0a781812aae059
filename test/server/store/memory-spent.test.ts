import { createMemorySpent } from '../../../server/store/memory-spent.ts';
import { testSpent } from '../../contract/spent.ts';

testSpent('memory', async () => ({ clients: [createMemorySpent()], close: async () => {} }));
