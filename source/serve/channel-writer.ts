import type {Socket} from 'node:net';
import type {Connection, ServerChannel} from 'ssh2';
import type {Clock} from '../market/clock.ts';
import {createBucket} from './limits.ts';
import {forgetWritten, isExchangingKeys, onceAdjusted, packetSizeOf, windowOf} from './ssh2-internals.ts';

type Taken = (error?: Error | null) => void;

type ChannelWriterOptions = {
	readonly client: Connection;
	readonly socket: Socket;
	readonly channel: ServerChannel;
	readonly clock: Clock;
	readonly bytesPerSecond: number;
	readonly framesPerSecond: number;
	readonly hasTerminal: boolean;
	/** Called when something was taken. */
	readonly onTaken: () => void;
};

/** Encrypted at a time, and thus the most that is kept for the socket. */
const pieceBytes = 32_768;
export const lineFeed = 0x0a;
/** Of the first window. Clients whose window has become so small enlarge it when they have read all. */
const smallWindow = 1 / 4;

type Order = {
	readonly stream: 'output' | 'errors';
	rest: Buffer;
	/** A line of it is sent in part. */
	isCut: boolean;
	readonly isFrame: boolean;
	readonly taken: Taken;
};

export type ChannelWriter = ReturnType<typeof createChannelWriter>;

/**
 * Sends output and errors of one channel, in the order of the calls and one at a time. Without a terminal, each message has whole
 * lines, so that whatever ends the connection, what has arrived ends with one; only a line longer than a message can be cut.
 */
export function createChannelWriter(options: ChannelWriterOptions) {
	const {client, socket, channel, clock, bytesPerSecond, framesPerSecond, hasTerminal, onTaken} = options;
	const firstWindow = windowOf(channel);
	// A first frame, or a table, may be larger than what is sent in a second.
	const bytes = createBucket(clock, bytesPerSecond, 4 * bytesPerSecond);
	const frames = createBucket(clock, framesPerSecond);
	/** The first is being sent. */
	let orders: Order[] = [];
	let isClosed = false;
	let cancel = (): void => {};

	/** How many bytes are sent next; 0: the next line begins when there is more room. */
	function lengthOf({rest, isCut}: Order): number {
		const window = windowOf(channel);
		const most = Math.min(pieceBytes, packetSizeOf(channel), window);
		if (hasTerminal) return pieceBytes;
		if (rest.length <= most) return rest.length;
		const whole = rest.subarray(0, most).lastIndexOf(lineFeed) + 1;
		if (whole > 0) return whole;
		const line = rest.indexOf(lineFeed) + 1 || rest.length;
		return isCut || line <= window || window >= firstWindow * smallWindow ? Math.min(line, pieceBytes) : 0;
	}

	function next(): void {
		const [order] = orders;
		if (!order) return;
		const length = lengthOf(order);
		if (length === 0 && order.rest.length > 0) return onceAdjusted(channel, next);
		const piece = order.rest.subarray(0, length);
		order.rest = order.rest.subarray(length);
		order.isCut = order.rest.length > 0 && piece.at(-1) !== lineFeed;
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
		/**
		 * Calls back once the bytes have left the process, and when more may follow: the other side has room, keys are not being
		 * exchanged, and the limits allow it. `isFrame`: counts for the limit of frames.
		 */
		send(stream: 'output' | 'errors', data: Buffer, isFrame: boolean, taken: Taken): void {
			if (isClosed) return taken(new Error(gone));
			orders.push({stream, rest: data, isCut: false, isFrame, taken});
			if (orders.length === 1) next();
		},
		/** Fails what waits, and everything that follows. */
		close(): void {
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
