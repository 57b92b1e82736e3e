import {Writable} from 'node:stream';
import type {Size} from '../format/cells.ts';
import type {Clock} from '../market/clock.ts';
import {cellDiff, type Shown} from './cell-diff.ts';
import type {FlowControl} from './flow-control.ts';
import {Surface} from './surface.ts';

/** Takes what is written when it calls back, not before: until then nothing more is written to it. */
export type Terminal = NodeJS.EventEmitter & {
	readonly columns: number;
	readonly rows: number;
	write(text: string, taken: (error?: Error | null) => void): boolean;
};

export type FrameOutputOptions = {
	readonly clock: Clock;
	/** Frames a second, at most. Default: as many as come. */
	readonly maxFps?: number | undefined;
	/** Absent: the terminal is not asked, and has taken what the system has taken. */
	readonly flow?: FlowControl | undefined;
};

/** To wait this long for the system is slow; frames that replace each other faster are no loss to anybody. */
const slowMs = 100;

/**
 * Puts what the surface shows on the terminal. While the terminal has not taken what it was given, newer frames replace
 * each other: what it is given next is the present. The event `drop` reports how many frames a slow terminal has lost. A
 * frame that was laid out for another size than the terminal's is never shown.
 *
 * To Ink this is its standard output: a terminal of the same size. What Ink writes there is discarded, as panes put all
 * that is shown on the surface.
 */
export class FrameOutput extends Writable {
	readonly isTTY = true;
	readonly surface: Surface;
	readonly #terminal: Terminal;
	readonly #clock: Clock;
	readonly #restMs: number;
	readonly #flow: FlowControl | undefined;
	#picture: ReturnType<Surface['picture']>;
	/** Absent: nobody knows. */
	#shown: Shown | undefined;
	/** Nothing may be written: the terminal is somebody else's. */
	#held = false;
	/** The system has not taken all that it was given for the terminal. */
	#busy = false;
	/** Epoch ms. */
	#sentAt = 0;
	/** Stops the rest between two frames; absent: there is none. */
	#endRest: (() => void) | undefined;
	/** The view is not laid out for the size of the terminal yet. */
	#outdated = false;
	/** The picture could not be shown when it came. */
	#waiting = false;
	/** Frames that were replaced by others while the terminal could not take them. */
	#replaced = 0;

	constructor(terminal: Terminal, {clock, maxFps, flow}: FrameOutputOptions) {
		super({decodeStrings: false});
		// Ink and every component that asks for the size listen.
		this.setMaxListeners(0);
		this.surface = new Surface(terminal, () => this.#update());
		this.#picture = this.surface.picture();
		this.#terminal = terminal;
		this.#clock = clock;
		this.#restMs = maxFps === undefined ? 0 : 1000 / maxFps;
		this.#flow = flow;
		flow?.onRoom(this.#presentWaiting);
		terminal.on('resize', this.#resize);
	}

	get columns(): number {
		return this.#terminal.columns;
	}

	get rows(): number {
		return this.#terminal.rows;
	}

	/** To be called when the view is laid out for a size: from a resize until then nothing is shown. */
	readonly laidOut = ({columns, rows}: Size): void => {
		// Of several resizes in a row only the last one's layout is shown.
		if (!this.#outdated || columns !== this.columns || rows !== this.rows) return;
		this.#outdated = false;
		this.surface.resize({columns, rows});
	};

	/** Draws everything anew, as nobody knows what the terminal shows. */
	readonly redraw = (): void => {
		this.#held = false;
		this.#shown = undefined;
		this.#flow?.restart();
		this.#present();
	};

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
		this.emit('resize');
	};

	/** Takes the picture of the surface as the next frame, unless it looks as the one before. */
	#update(): void {
		const picture = this.surface.picture();
		if (picture === this.#picture) return;
		this.#picture = picture;
		if (this.#waiting && this.#full) this.#replaced++;
		this.#reportReplaced();
		this.#present();
	}

	/** The terminal cannot take a frame. */
	get #full(): boolean {
		return this.#busy || (this.#flow?.behind ?? false);
	}

	#reportReplaced(): void {
		const slow = this.#busy ? this.#clock.now() - this.#sentAt >= slowMs : this.#flow?.late;
		if (!slow || this.#replaced === 0) return;
		this.emit('drop', this.#replaced);
		this.#replaced = 0;
	}

	#present(): void {
		if (this.#held || this.#outdated) return;
		if (this.#full || this.#endRest) {
			this.#waiting = true;
			return;
		}

		this.#waiting = false;
		this.#reportReplaced();
		this.#replaced = 0;
		const {text, shown} = cellDiff(this.#shown, this.#picture);
		this.#shown = shown;
		if (text !== '') this.#send(text);
	}

	#send(text: string): void {
		this.#busy = true;
		this.#sentAt = this.#clock.now();
		this.#terminal.write(this.#flow?.withQuestion(text) ?? text, error => {
			// It will take nothing any more.
			if (error) return;
			this.#reportReplaced();
			this.#busy = false;
			this.#presentWaiting();
		});
		if (this.#restMs === 0) return;
		this.#endRest = this.#clock.after(this.#restMs, () => {
			this.#endRest = undefined;
			this.#presentWaiting();
		});
	}

	readonly #presentWaiting = (): void => {
		if (this.#waiting) this.#present();
	};
}
