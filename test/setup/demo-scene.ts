import { demoStaffToken, seedDemo } from '../../commands/demo.ts';
import { seedFee } from '../../commands/demo-fee.ts';
import { openDemoRehearsal } from '../../commands/demo-rehearsal.ts';
import { openWorkQueue } from '../../coverage/jobs/queue.ts';
import { createLogger } from '../../platform/logger.ts';
import { openStorage } from '../../platform/storage/open.ts';
import { signIn, useScene } from './browser.ts';
import { makePlace, startApiAlone } from './service.ts';

/** The demo's billing with its rehearsal, without coverage. */
const startDemo = async () => {
  const place = await makePlace({
    closeTime: '06:00:00',
    invoiceIssuer: {
      name: 'Broadband Map',
      address: '12 Example Street\nWellington 6011',
      gstNumber: '123-456-789',
      payment: 'Please pay to 00-0000-0000000-00, with the number of the invoice.',
    },
  });
  const database = await place.open();
  const { config } = place;
  const storage = await openStorage(config);
  await seedFee({ database, storage }, new Date());
  await seedDemo(database);
  const logger = createLogger('silent');
  const parts = {
    config,
    database,
    logger,
    queue: openWorkQueue(config, database),
    storage,
  };
  const rehearsal = await openDemoRehearsal({ ...parts, close: async () => undefined });
  const api = await startApiAlone(place, database, logger, { rehearsal });
  return {
    api,
    database,
    rehearsal,
    async stop() {
      await api.close();
      await parts.queue.close();
      await database.close();
      await place.remove();
    },
  };
};

/** One demo for all tests of a file. */
export const useDemo = () => useScene(startDemo, false);

/** A page of the demo's staff. */
export async function openStaffPage(scene: Awaited<ReturnType<typeof useDemo>>) {
  const page = await scene.open();
  await signIn(page, demoStaffToken, '/staff', 'What needs doing');
  return page;
}
