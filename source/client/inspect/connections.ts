import {subscribe, unsubscribe} from 'node:diagnostics_channel';

/** Counts the connections that requests go out on, in the whole process. */
export type Connections = {
	/** Connections used so far. */
	used(): number;
	close(): void;
};

const channel = 'undici:client:sendHeaders';

export function watchConnections(): Connections {
	const sockets = new WeakSet<object>();
	let used = 0;
	const onSend = (message: unknown) => {
		if (typeof message !== 'object' || message === null || !('socket' in message)) return;
		const {socket} = message;
		if (typeof socket !== 'object' || socket === null || sockets.has(socket)) return;
		sockets.add(socket);
		used += 1;
	};

	subscribe(channel, onSend);
	return {used: () => used, close: () => void unsubscribe(channel, onSend)};
}
