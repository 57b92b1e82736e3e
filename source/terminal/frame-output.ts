import {Writable} from 'node:stream';
import {stripVTControlCharacters} from 'node:util';
import type {Clock} from '../market/clock.ts';
import {cellDiff, type Shown} from './cell-diff.ts';
import {cursorMove} from './cursor-moves.ts';
import {InkScreen} from './ink-screen.ts';
import {type Picture, resizePicture, type Size} from './picture.ts';
import type {Receipts} from './receipts.ts';
import {defaultStyle, styleChange} from './style.ts';

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
	readonly receipts?: Receipts | undefined;
};

/** What Ink writes before a frame that replaces the one before. */
const erasure =
	/^(?:\u001B\[\?25l(?:\u001B\[\d*B)?(?:\u001B\[\d*G)?)?(?:\u001B\[2K(?:\u001B\[1A)?)*(?:\u001B\[G)?(?:\u001B\[1;1H\u001B\[J)?/;
/** To wait this long for the system is slow; frames that replace each other faster are no loss to anybody. */
const slowMs = 100;

const endOfFrame = '\u001B[?2026l';

/** What is not understood, from there to the next erasure: to be written as it is. */
type Verbatim = {
	/** What has to be on the screen first, and where the cursor has to be. */
	readonly before: Picture;
	readonly text: string;
	/** How much of the text the terminal has been given. */
	readonly given: number;
};

/**
 * The terminal as Ink sees it, to be given to Ink in its default mode. Of Ink's frames only the cells that change reach
 * the terminal. While it has not taken what it was given, newer frames replace each other: what it is given next is the
 * present. How many were lost that way because it is slow is told by the event `drop`, with their number. A frame that was laid out for another size than the
 * terminal's is never shown.
 */
export class FrameOutput extends Writable {
	readonly isTTY = true;
	readonly #terminal: Terminal;
	readonly #clock: Clock;
	readonly #restMs: number;
	readonly #receipts: Receipts | undefined;
	readonly #ink: InkScreen;
	/** Absent: nobody knows. */
	#shown: Shown | undefined;
	#verbatim: Verbatim | undefined;
	/** Nothing may be written: the terminal is somebody else's. */
	#held = false;
	/** The system has not taken all that it was given for the terminal. */
	#busy = false;
	/** Epoch ms. */
	#sentAt = 0;
	/** Stops the rest between two frames; absent: there is none. */
	#endRest: (() => void) | undefined;
	/** The terminal has another size than what Ink drew last was laid out for. */
	#outdated = false;
	/** Ink wrote something since the last attempt to show it. */
	#changed = false;
	/** What Ink drew could not be shown when it came. */
	#waiting = false;
	/** Frames that were replaced by others while the terminal could not take them. */
	#replaced = 0;

	constructor(terminal: Terminal, {clock, maxFps, receipts}: FrameOutputOptions) {
		super({decodeStrings: false});
		// Ink and every panel that asks for the size listen.
		this.setMaxListeners(0);
		this.#terminal = terminal;
		this.#clock = clock;
		this.#restMs = maxFps === undefined ? 0 : 1000 / maxFps;
		this.#receipts = receipts;
		receipts?.onTaken(this.#presentWaiting);
		this.#ink = new InkScreen(terminal);
		terminal.on('resize', this.#resize);
	}

	get columns(): number {
		return this.#terminal.columns;
	}

	get rows(): number {
		return this.#terminal.rows;
	}

	/**
	 * To be called when the view is laid out for a size. Ink answers a resize with the frame that it has, and React draws
	 * the new one some turns later: until then nothing is shown.
	 */
	readonly laidOut = ({columns, rows}: Size): void => {
		// Of several resizes in a row only the last one's layout is shown.
		if (!this.#outdated || columns !== this.columns || rows !== this.rows) return;
		// Ink limits its frame rate and may still owe the new frame: it answers this with what is laid out now.
		this.emit('resize');
		this.#outdated = false;
		this.#present();
	};

	/** Draws everything anew: nobody knows what the terminal shows. */
	readonly redraw = (): void => {
		this.#held = false;
		this.#shown = undefined;
		this.#receipts?.restart();
		if (this.#verbatim) this.#verbatim = {...this.#verbatim, given: 0};
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

	override _write(text: string, _encoding: BufferEncoding, done: () => void): void {
		this.#interpret(text);
		this.#changed = true;
		// An erasure by itself is followed by what replaces it.
		if (text === endOfFrame) this.#endFrame();
		else queueMicrotask(() => this.#changed && this.#present());
		done();
	}

	readonly #resize = (): void => {
		this.#outdated = true;
		this.#shown = undefined;
		this.#ink.resize(this.#terminal);
		if (this.#verbatim) {
			const before = resizePicture(this.#verbatim.before, this.#terminal);
			this.#verbatim = {...this.#verbatim, before, given: 0};
		}

		this.emit('resize');
	};

	#interpret(text: string): void {
		const [erased = ''] = erasure.exec(text) ?? [];
		this.#ink.write(erased);
		if (erased !== '') this.#verbatim = undefined;
		const before = this.#ink.picture;
		const body = text.slice(erased.length);
		const understood = this.#ink.write(body);
		if (!understood && stripVTControlCharacters(body).trim() === '') {
			// Settings of the terminal, which are no part of a frame: never dropped, and the screen may not be what it was.
			this.#shown = undefined;
			this.#terminal.write(body, () => {});
		} else if (this.#verbatim) this.#verbatim = {...this.#verbatim, text: this.#verbatim.text + body};
		else if (!understood) this.#verbatim = {before, text: body, given: 0};
	}

	#endFrame(): void {
		if (this.#waiting && this.#full) this.#replaced++;
		this.#tellReplaced();
		this.#present();
	}

	/** The terminal cannot take a frame. */
	get #full(): boolean {
		return this.#busy || (this.#receipts?.behind ?? false);
	}

	#tellReplaced(): void {
		const slow = this.#busy ? this.#clock.now() - this.#sentAt >= slowMs : this.#receipts?.late;
		if (!slow || this.#replaced === 0) return;
		this.emit('drop', this.#replaced);
		this.#replaced = 0;
	}

	#present(): void {
		this.#changed = false;
		if (this.#held || this.#outdated) return;
		if (this.#full || this.#endRest) {
			this.#waiting = true;
			return;
		}

		this.#waiting = false;
		this.#tellReplaced();
		this.#replaced = 0;
		const text = this.#verbatim ? this.#drawVerbatim(this.#verbatim) : this.#draw(this.#ink.picture);
		if (text !== '') this.#send(text);
	}

	#draw(picture: Picture): string {
		const {text, shown} = cellDiff(this.#shown, picture);
		this.#shown = shown;
		return text;
	}

	#drawVerbatim(verbatim: Verbatim): string {
		const {before, text, given} = verbatim;
		let start = '';
		if (given === 0) {
			start = this.#draw(before);
			const pen = this.#shown?.pen ?? {row: 0, column: 0, style: defaultStyle};
			start += cursorMove(pen, before.cursor.row, before.cursor.column) + styleChange(pen.style, defaultStyle);
		}

		this.#verbatim = {...verbatim, given: text.length};
		this.#shown = undefined;
		return start + text.slice(given).replaceAll('\n', '\r\n');
	}

	#send(text: string): void {
		this.#busy = true;
		this.#sentAt = this.#clock.now();
		this.#terminal.write(this.#receipts?.withQuestion(text) ?? text, error => {
			// It will take nothing any more.
			if (error) return;
			this.#tellReplaced();
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
