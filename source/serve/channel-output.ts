import {Writable} from 'node:stream';
import type {Size} from '../format/cells.ts';
import type {Clock} from '../market/clock.ts';
import {secondMs} from '../market/units.ts';
import {type ChannelWriter, lineFeed} from './channel-writer.ts';

/** A change of the size is told at most this often; then the last one counts. */
export const resizeRestMs = secondMs / 10;

/** `size` undefined: there is no terminal. */
export class ChannelOutput extends Writable {
	readonly isTTY: boolean;
	readonly #writer: ChannelWriter;
	readonly #stream: 'output' | 'errors';
	readonly #clock: Clock;
	#size: Size;
	#newSize: Size | undefined;
	#endRest: (() => void) | undefined;

	constructor(writer: ChannelWriter, stream: 'output' | 'errors', clock: Clock, size: Size | undefined) {
		super({highWaterMark: 1});
		this.isTTY = size !== undefined;
		this.#writer = writer;
		this.#stream = stream;
		this.#clock = clock;
		this.#size = size ?? {columns: 0, rows: 0};
		// Each screen and each line that waits for it listens.
		this.setMaxListeners(0);
		// A write to a viewer who has just gone is no fault of the writer; `gone` tells it.
		this.on('error', () => {});
	}

	get columns(): number {
		return this.#size.columns;
	}

	get rows(): number {
		return this.#size.rows;
	}

	/** Call when the viewer has changed the size of the terminal. */
	resize(size: Size): void {
		this.#newSize = size;
		if (!this.#endRest) this.#reportSize();
	}

	override _write(data: Buffer, _encoding: BufferEncoding, taken: (error?: Error | null) => void): void {
		const bytes = this.isTTY ? withCarriageReturns(data) : data;
		this.#writer.send(this.#stream, bytes, this.isTTY, taken);
	}

	override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
		this.#endRest?.();
		done(error);
	}

	#reportSize(): void {
		const size = this.#newSize;
		this.#newSize = undefined;
		if (!size || this.destroyed || (size.columns === this.columns && size.rows === this.rows)) return;
		this.#size = size;
		this.#endRest = this.#clock.after(resizeRestMs, () => {
			this.#endRest = undefined;
			this.#reportSize();
		});
		// What is thrown while ssh2 reads, it takes for a mistake of the other side.
		queueMicrotask(() => this.emit('resize'));
	}
}

const loneLineFeed = /(?<!\r)\n/g;

/** What a terminal of this machine would be sent: its driver puts a carriage return before each line feed. */
function withCarriageReturns(data: Buffer): Buffer {
	if (!data.includes(lineFeed)) return data;
	return Buffer.from(data.toString('latin1').replace(loneLineFeed, '\r\n'), 'latin1');
}
