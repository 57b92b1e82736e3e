import type {Socket} from 'node:net';
import type {Connection, ServerChannel} from 'ssh2';
import type {Clock} from '../market/clock.ts';
import {createBucket} from './bucket.ts';
import {forgetWritten, isExchangingKeys} from './ssh2-internals.ts';

type Taken = (error?: Error | null) => void;

/** Sends output and errors of one channel, in the order of the calls and one at a time. */
export type ChannelWriter = {
	/**
	 * Calls back once the bytes have left the process, and when more may follow: the other side has room, keys are not being
	 * exchanged, and the limits allow it. `isFrame`: counts for the limit of frames.
	 */
	send(stream: 'output' | 'errors', data: Buffer, isFrame: boolean, taken: Taken): void;
	/** Fails what waits, and everything that follows. */
	close(): void;
};

type ChannelWriterOptions = {
	readonly client: Connection;
	readonly socket: Socket;
	readonly channel: ServerChannel;
	readonly clock: Clock;
	readonly bytesPerSecond: number;
	readonly framesPerSecond: number;
	/** Called when something was taken. */
	readonly onTaken: () => void;
};

/** Encrypted at a time, and thus the most that is kept for the socket. */
const pieceBytes = 32_768;

type Order = {
	readonly stream: 'output' | 'errors';
	rest: Buffer;
	readonly isFrame: boolean;
	readonly taken: Taken;
};

export function createChannelWriter(options: ChannelWriterOptions): ChannelWriter {
	const {client, socket, channel, clock, bytesPerSecond, framesPerSecond, onTaken} = options;
	// A first frame, or a table, may be larger than what is sent in a second.
	const bytes = createBucket(clock, bytesPerSecond, 4 * bytesPerSecond);
	const frames = createBucket(clock, framesPerSecond);
	/** The first is being sent. */
	let orders: Order[] = [];
	let isClosed = false;
	let cancel = (): void => {};

	function next(): void {
		const [order] = orders;
		if (!order) return;
		const piece = order.rest.subarray(0, pieceBytes);
		order.rest = order.rest.subarray(pieceBytes);
		const stream = order.stream === 'output' ? channel : channel.stderr;
		// ssh2 writes each packet in three parts, which would be three calls of the system.
		socket.cork();
		stream.write(piece, () => {
			forgetWritten(channel);
			afterKeys(() => socket.write('', () => flushed(order, piece.length)));
		});
		socket.uncork();
	}

	function afterKeys(then: () => void): void {
		if (isClosed) return;
		if (isExchangingKeys(client)) client.once('rekey', () => afterKeys(then));
		else then();
	}

	function flushed(order: Order, length: number): void {
		if (isClosed) return;
		onTaken();
		const isDone = order.rest.length === 0;
		const restMs = Math.max(bytes.use(length), order.isFrame && isDone ? frames.use(1) : 0);
		if (restMs > 0) cancel = clock.after(restMs, () => finish(order, isDone));
		else finish(order, isDone);
	}

	function finish(order: Order, isDone: boolean): void {
		if (isDone) orders.shift();
		next();
		// It may send the next at once.
		if (isDone) order.taken();
	}

	return {
		send(stream, data, isFrame, taken) {
			if (isClosed) return taken(new Error(gone));
			orders.push({stream, rest: data, isFrame, taken});
			if (orders.length === 1) next();
		},
		close() {
			if (isClosed) return;
			isClosed = true;
			cancel();
			const lost = orders;
			orders = [];
			for (const {taken} of lost) taken(new Error(gone));
		},
	};
}

const gone = 'the viewer is gone';
