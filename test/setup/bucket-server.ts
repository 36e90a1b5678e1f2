import { startBucket } from './bucket.ts';

// A bucket as a process that can be killed: bucket-server.ts <folder> <port>
const [folder, port] = process.argv.slice(2) as [string, string];
const { name } = await startBucket({ folder, port: Number(port) });
console.log(`bucket ${name}`);
