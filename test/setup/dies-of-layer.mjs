import { ChildProcess } from 'node:child_process';
import { isMainThread } from 'node:worker_threads';

/*
 * Loaded into a worker before anything else (`--import`): it runs out of memory, for real, as soon as its reader has read a layer of the
 * name POISON, as it would by a fault of ours that only this file meets.
 */

const { emit } = ChildProcess.prototype;
if (isMainThread && process.env.POISON) {
  ChildProcess.prototype.emit = function (event, message, ...rest) {
    const layers = event === 'message' && message?.type === 'coverage' ? message.read.layers : [];
    if (layers.some(({ name }) => name === process.env.POISON)) {
      for (const kept = []; ; ) kept.push(new Array(1e6).fill(Math.random()));
    }
    return emit.call(this, event, message, ...rest);
  };
}
