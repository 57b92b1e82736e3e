import {EventEmitter} from 'node:events';
import type {Size} from '../../source/format/cells.ts';
import type {Terminal} from '../../source/terminal/frame-output.ts';

/** A terminal without a screen: what it was given, and when it takes it. */
export class SlowTerminal extends EventEmitter implements Terminal {
	columns: number;
	rows: number;
	/** Whether what is written is taken at once. */
	reading = true;
	/** What it has taken, oldest first. */
	readonly taken: string[] = [];
	#given: {readonly text: string; readonly done: () => void}[] = [];

	constructor({columns, rows}: Size) {
		super();
		this.columns = columns;
		this.rows = rows;
	}

	/** Bytes that wait to be taken. */
	get waiting(): number {
		return this.#given.reduce((sum, {text}) => sum + Buffer.byteLength(text), 0);
	}

	write(text: string, done: () => void): boolean {
		this.#given.push({text, done});
		if (this.reading) this.take();
		return this.reading;
	}

	/** Takes all that waits, and what is written because of that. */
	take(): void {
		for (let next = this.#given.shift(); next; next = this.#given.shift()) {
			this.taken.push(next.text);
			next.done();
		}
	}

	resize({columns, rows}: Size): void {
		this.columns = columns;
		this.rows = rows;
		this.emit('resize');
	}
}
