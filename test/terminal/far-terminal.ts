import {EventEmitter} from 'node:events';
import type {Size} from '../../source/format/cells.ts';
import type {Terminal} from '../../source/terminal/frame-output.ts';
import type {FakeClock} from '../helpers/fake-clock.ts';

type Link = {
	/** From the system to the terminal; a burst waits in a buffer without end. */
	readonly bytesPerSecond?: number;
	/** There and back. */
	readonly distanceMs?: number;
};

/**
 * A terminal at the far end of a connection whose buffers take all that is written at once. It answers what it is asked
 * when it has interpreted all that came before, if anybody hears its answers.
 */
export class FarTerminal extends EventEmitter implements Terminal {
	readonly columns: number;
	readonly rows: number;
	/** What it has interpreted, oldest first; a question ends a piece. */
	readonly shown: string[] = [];
	/** Questions that it was sent. */
	questions = 0;
	/** It answers what it is asked. */
	answers = true;
	link: Link;
	/** Nobody is attached: what it would show and answer is lost. */
	detached = false;
	onAnswer: (column: number) => void = () => {};
	readonly #clock: FakeClock;
	readonly #underWay: string[] = [];
	#stopped = false;
	/** Epoch ms: when the line has sent all so far. */
	#freeAt = 0;
	/** Pieces that wait because it is stopped. */
	#arrived = 0;

	constructor({columns, rows}: Size, clock: FakeClock, link: Link = {}) {
		super();
		this.columns = columns;
		this.rows = rows;
		this.#clock = clock;
		this.link = link;
	}

	/** Bytes that were written and are not interpreted. */
	get underWay(): number {
		return this.#underWay.reduce((sum, text) => sum + text.length, 0);
	}

	write(text: string, done: () => void = () => {}): boolean {
		const {bytesPerSecond = Number.POSITIVE_INFINITY, distanceMs = 0} = this.link;
		for (const piece of text.split(/(?<=\u001B\[6n\u001B8)/)) {
			const now = this.#clock.now();
			this.#freeAt = Math.max(this.#freeAt, now) + (piece.length / bytesPerSecond) * 1000;
			this.#underWay.push(piece);
			this.questions += questionsIn(piece).length;
			this.#clock.after(this.#freeAt - now + distanceMs / 2, () => this.#arrive());
		}

		done();
		return true;
	}

	stop(): void {
		this.#stopped = true;
	}

	/** All that stood in the buffers meanwhile comes at once. */
	resume(): void {
		this.#stopped = false;
		while (this.#arrived > 0) this.#interpret();
	}

	#arrive(): void {
		this.#arrived++;
		if (!this.#stopped) this.#interpret();
	}

	#interpret(): void {
		this.#arrived--;
		const text = this.#underWay.shift() ?? '';
		if (this.detached) return;
		this.shown.push(text);
		const {distanceMs = 0} = this.link;
		for (const question of questionsIn(text)) {
			if (this.answers) this.#clock.after(distanceMs / 2, () => this.onAnswer(question));
		}
	}
}

/** The columns that it is asked about. */
export const questionsIn = (text: string): readonly number[] =>
	[...text.matchAll(/\u001B\[2;(\d+)H\u001B\[6n/g)].map(([, column]) => Number(column));
