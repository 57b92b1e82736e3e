import {Readable} from 'node:stream';
import type {ServerChannel} from 'ssh2';
import type {Clock} from '../market/clock.ts';
import {createBucket} from './limits.ts';
import type {SocketGate} from './socket-gate.ts';

/** Taken from the channel at a time, so that a flood of keys leaves room for everything else in between. */
const pieceBytes = 256;
/** What was typed too fast; beyond that nothing more is read from the connection. */
export const mostWaitingBytes = 65_536;

type ChannelInputOptions = {
	readonly channel: ServerChannel;
	readonly gate: Pick<SocketGate, 'hold'>;
	readonly clock: Clock;
	readonly keysPerSecond: number;
	/** Called with each piece. */
	readonly onTyped: () => void;
};

/** What a viewer types, at most so many bytes a second: the rest comes later. */
export class ChannelInput extends Readable {
	readonly #channel: ServerChannel;
	readonly #gate: Pick<SocketGate, 'hold'>;
	readonly #clock: Clock;
	readonly #bucket: ReturnType<typeof createBucket>;
	readonly #onTyped: () => void;
	/** The reader wants more. */
	#wanted = false;
	/** Ends the pause after too much; undefined: there is none. */
	#endRest: (() => void) | undefined;

	constructor({channel, gate, clock, keysPerSecond, onTyped}: ChannelInputOptions) {
		super({highWaterMark: pieceBytes});
		this.#channel = channel;
		this.#gate = gate;
		this.#clock = clock;
		this.#bucket = createBucket(clock, keysPerSecond, 2 * keysPerSecond);
		this.#onTyped = onTyped;
		channel.on('readable', this.#pass);
		channel.once('end', () => this.push(null));
	}

	override _read(): void {
		this.#wanted = true;
		this.#pass();
	}

	override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
		this.#endRest?.();
		this.#channel.off('readable', this.#pass);
		this.#gate.hold(false);
		// What it still sends would otherwise wait for a reader.
		this.#channel.resume();
		done(error);
	}

	readonly #pass = (): void => {
		const isFull = this.#channel.readableLength > mostWaitingBytes;
		// Nobody reads: without a terminal, nothing is typed.
		if (isFull && this.readableFlowing === null) return void this.#channel.read();
		this.#gate.hold(isFull);
		if (!this.#wanted || this.#endRest) return;
		const piece: Buffer | null = this.#channel.read(Math.min(this.#channel.readableLength, pieceBytes));
		if (piece === null || piece.length === 0) return;
		this.#wanted = false;
		this.#onTyped();
		const restMs = this.#bucket.use(piece.length);
		if (restMs > 0) {
			this.#endRest = this.#clock.after(restMs, () => {
				this.#endRest = undefined;
				this.#pass();
			});
		}

		this.push(piece);
	};
}
