import {Writable} from 'node:stream';
import type {Size} from '../format/cells.ts';
import type {Clock} from '../market/clock.ts';
import {clamp} from '../market/numbers.ts';
import {cellDiff, type Shown} from './cell-diff.ts';
import type {FlowControl} from './flow-control.ts';
import {Surface} from './surface.ts';

/** A terminal to write to. It has accepted a write once it calls back; until then nothing more is written. */
export type Terminal = NodeJS.EventEmitter & {
	readonly isTTY?: boolean;
	readonly columns: number;
	readonly rows: number;
	write(text: string, taken?: (error?: Error | null) => void): boolean;
};

export type FrameOutputOptions = {
	readonly clock: Clock;
	/** At most one frame per beat (`createBeat`), except while the user types. Absent: no limit. */
	readonly beat?: Clock | undefined;
	/** Absent: the terminal is not asked, and counts as done when the system has accepted a write. */
	readonly flow?: FlowControl | undefined;
};

/** A write that takes longer is slow. Frames replaced within this time are not reported as dropped. */
const slowMs = 100;
/** For so long after a key, frames do not wait for the beat: what it leads to comes piece by piece. */
const hurryMs = 1000;
/** The least time between two sequences of `sendSoon`. */
const asideMs = 1000;

/**
 * Draws the surface on the terminal. While the terminal is busy, newer frames replace each other, so that the next one it
 * gets is current. The event `drop` reports how many frames a slow terminal missed. A frame that was laid out for another
 * size than the terminal's is never shown.
 *
 * Ink takes this for its standard output, a terminal of the same size. What Ink writes is discarded, as panes put
 * everything that is shown on the surface.
 */
export class FrameOutput extends Writable {
	readonly isTTY = true;
	readonly surface: Surface;
	readonly #terminal: Terminal;
	readonly #clock: Clock;
	readonly #beat: Clock | undefined;
	readonly #flow: FlowControl | undefined;
	#picture: ReturnType<Surface['picture']>;
	/** What the terminal shows; undefined: unknown. */
	#shown: Shown | undefined;
	/** Nothing may be written: the terminal belongs to another program. */
	#held = false;
	/** The system has not accepted the last write yet. */
	#busy = false;
	/** Epoch ms. */
	#sentAt = 0;
	/** When somebody typed last, epoch ms. */
	#hurriedAt: number;
	/** Cancels the pause between two frames; undefined: there is none. */
	#endRest: (() => void) | undefined;
	/** The view is not laid out for the terminal's size yet. */
	#outdated = false;
	/** A picture waits to be shown. */
	#waiting = false;
	/** Frames that were replaced while the terminal was busy. */
	#replaced = 0;
	/** Goes with the next frame; empty: nothing does. */
	#aside = '';
	/** When one was last sent. Epoch ms. */
	#asideAt = -Infinity;

	constructor(terminal: Terminal, {clock, beat, flow}: FrameOutputOptions) {
		super({decodeStrings: false});
		// Ink and every component that reads the size add listeners.
		this.setMaxListeners(0);
		this.surface = new Surface(drawnSize(terminal), () => this.#update());
		this.#picture = this.surface.picture();
		this.#terminal = terminal;
		this.#clock = clock;
		this.#beat = beat;
		this.#hurriedAt = clock.now();
		this.#flow = flow;
		flow?.onRoom(this.#presentWaiting);
		terminal.on('resize', this.#resize);
	}

	get columns(): number {
		return drawnSize(this.#terminal).columns;
	}

	get rows(): number {
		return drawnSize(this.#terminal).rows;
	}

	/** Call when the view is laid out for a size. From a resize until then, nothing is shown. */
	readonly laidOut = ({columns, rows}: Size): void => {
		// After several resizes in a row, only the layout of the last one is shown.
		if (!this.#outdated || columns !== this.columns || rows !== this.rows) return;
		this.#outdated = false;
		this.surface.resize({columns, rows});
	};

	/** Draws everything again, as what the terminal shows is unknown. */
	readonly redraw = (): void => {
		this.#held = false;
		this.#shown = undefined;
		this.#flow?.restart();
		this.#present();
	};

	/** Call when somebody types: what follows is shown at once. */
	readonly hurry = (): void => {
		this.#hurriedAt = this.#clock.now();
	};

	/** Writes a sequence that shows nothing, between two frames. */
	send(sequence: string): void {
		if (!this.#held) this.#terminal.write(this.#flow?.withQuestion(sequence) ?? sequence, () => {});
	}

	/**
	 * Writes a sequence that shows nothing with a frame, at most one a second. A later one replaces one that waits; an empty one
	 * cancels it.
	 */
	sendSoon(sequence: string): void {
		this.#aside = sequence;
	}

	/** Writes nothing more until `redraw`. */
	hold(): void {
		this.#held = true;
	}

	/** Writes nothing more. */
	close(): void {
		this.hold();
		this.#endRest?.();
		this.#terminal.off('resize', this.#resize);
	}

	override _write(_text: string, _encoding: BufferEncoding, done: () => void): void {
		done();
	}

	readonly #resize = (): void => {
		this.#outdated = true;
		this.#shown = undefined;
		this.hurry();
		this.emit('resize');
	};

	/** Makes the surface's picture the next frame, unless it is the same as the last one. */
	#update(): void {
		const picture = this.surface.picture();
		if (picture === this.#picture) return;
		this.#picture = picture;
		if (this.#waiting && this.#full) this.#replaced++;
		this.#reportReplaced();
		this.#present();
	}

	/** Whether the terminal cannot take a frame now. */
	get #full(): boolean {
		return this.#busy || (this.#flow?.behind ?? false);
	}

	/** Whether the next frame waits for the beat. */
	get #rests(): boolean {
		// A clock that was set back must not hurry for longer.
		return this.#endRest !== undefined && Math.abs(this.#clock.now() - this.#hurriedAt) >= hurryMs;
	}

	#reportReplaced(): void {
		const slow = this.#busy ? this.#clock.now() - this.#sentAt >= slowMs : this.#flow?.late;
		if (!slow || this.#replaced === 0) return;
		this.emit('drop', this.#replaced);
		this.#replaced = 0;
	}

	#present(): void {
		if (this.#held || this.#outdated) return;
		if (this.#full || this.#rests) {
			this.#waiting = true;
			return;
		}

		this.#waiting = false;
		this.#reportReplaced();
		this.#replaced = 0;
		const {text, shown} = cellDiff(this.#shown, this.#picture);
		this.#shown = shown;
		if (text !== '') this.#send(this.#takeAside() + text);
	}

	#takeAside(): string {
		const now = this.#clock.now();
		// A clock that was set back must not hold it up.
		if (Math.abs(now - this.#asideAt) < asideMs) return '';
		const aside = this.#aside;
		if (aside !== '') this.#asideAt = now;
		this.#aside = '';
		return aside;
	}

	#send(text: string): void {
		this.#busy = true;
		this.#sentAt = this.#clock.now();
		this.#terminal.write(this.#flow?.withQuestion(text) ?? text, error => {
			// The terminal is gone.
			if (error) return;
			this.#reportReplaced();
			this.#busy = false;
			this.#presentWaiting();
		});
		this.#endRest ??= this.#beat?.after(0, () => {
			this.#endRest = undefined;
			this.#presentWaiting();
		});
	}

	readonly #presentWaiting = (): void => {
		if (this.#waiting) this.#present();
	};
}

/** What a terminal has that does not tell, such as a serial console. */
const usualSize: Size = {columns: 80, rows: 24};
/** Beyond it nothing is drawn. Larger than any screen, and drawn fast enough to answer keys. */
const largestSize: Size = {columns: 1000, rows: 300};

/** The size to draw for: that of the terminal, unless it is unknown (absent or 0) or absurd. */
export function drawnSize({columns, rows}: Partial<Size>): Size {
	return {
		columns: clamp(columns || usualSize.columns, 1, largestSize.columns),
		rows: clamp(rows || usualSize.rows, 1, largestSize.rows),
	};
}
