import { connect, type Socket } from 'node:net';

/** A connection to a service, which may cut it, for texts that need not be requests. */
export function openSocket(url: string, text = ''): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write(text);
  return socket;
}

/** All that comes on a connection, once it is closed. */
export async function receivedBy(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}
