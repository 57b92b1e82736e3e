import type {Clock} from '../market/clock.ts';

/** What a terminal says of itself when it is asked: that it is well, or what it is. */
export type Answer = 'status' | 'attributes';

type ReceiptsOptions = {
	readonly clock: Clock;
	/** Writes to the terminal. */
	readonly write: (text: string) => void;
};

const statusQuestion = '\u001B[5n';
const attributesQuestion = '\u001B[c';

/** Bytes that may be without an answer: at first, and once answers come in time. */
const leastRoom = 2048;
const mostRoom = 16_384;
/** So much of that is for what is sent while an answer is on its way: a second of frames. */
const spareRoom = 4096;
/** Who draws little is asked as often as this. */
const mostSilenceMs = 10_000;
/** An answer that takes longer does not come from far away, it stood in a queue. */
const lateMs = 1000;
/** A terminal that has said nothing for so long after it was first asked counts as one that never does. */
const firstAnswerMs = 500;
const leastRepeatMs = 5000;
const mostRepeatMs = 60_000;

/**
 * How far a terminal has got with what it was given. A write that the system has taken can stand for minutes in the buffers
 * of a slow connection; only the terminal itself knows what it has shown. So it is asked for its status (DSR) behind a
 * frame, and a terminal answers in the order in which it interprets.
 *
 * - A frame may follow others while they leave room: 2 kB, twice as much with each answer that comes in time, up to 16 kB;
 *   so a distance of 300 ms costs no frame. However long a terminal stands still, no more than that and a frame
 *   is on its way to it.
 * - After an answer that took over a second there is one frame at a time: what is on the screen of a slow link is then as old
 *   as one frame takes.
 * - One question is open at a time, asked when the room gets short. That is once in some seconds: an answer is a key to SSH,
 *   and since 9.5 OpenSSH hides the time of each in a hundred packets.
 * - Answers can get lost (a session that was detached). After five seconds, then after twice as many each time, up to a
 *   minute, another question is asked (DA), whose answer cannot be taken for a late one to the first: it stands for all that
 *   was sent before. A key that is typed meanwhile asks at once. So a stall of any length queues a few bytes, and a lost
 *   answer never stops the screen.
 * - Who has not answered both kinds is not waited for, except for half a second at the start.
 */
export class Receipts {
	readonly #clock: Clock;
	readonly #write: (text: string) => void;
	#onTaken = (): void => {};
	/** Frames wait for answers. */
	#trusted = true;
	/** The terminal has been asked anything. */
	#begun = false;
	/** The kinds of answer that it has given. */
	readonly #told = new Set<Answer>();
	#stopped = false;
	/** The question for the status is without an answer. */
	#open = false;
	/** Bytes that it is about, and bytes sent since. */
	#asked = 0;
	#since = 0;
	#room = leastRoom;
	/** Epoch ms: when it was asked, and when anything was. */
	#askedAt = 0;
	#lastAskedAt = 0;
	/** How long the last answer took. */
	#tookMs = 0;
	/** Questions of the other kind since, and answers to any of them that may still come. */
	#repeats = 0;
	#attributesDue = 0;
	#cancelRepeat = (): void => {};
	#cancelFirst = (): void => {};
	/** Waits for the last answers. */
	#onQuiet = (): void => {};

	constructor({clock, write}: ReceiptsOptions) {
		this.#clock = clock;
		this.#write = write;
	}

	/** Runs `listener` each time the terminal may have room for another frame. */
	onTaken(listener: () => void): void {
		this.#onTaken = listener;
	}

	/** Another frame has to wait. */
	get behind(): boolean {
		const ahead = this.#asked + this.#since;
		return this.#trusted && ahead > 0 && (ahead >= this.#room || this.late);
	}

	/** The last answer took over a second, or the one that is due does: the terminal is slow, not just far away. */
	get late(): boolean {
		return this.#tookMs >= lateMs || (this.#open && this.#clock.now() - this.#askedAt >= lateMs);
	}

	/** An answer is likely to come. */
	get due(): boolean {
		return this.#trusted && (this.#open || this.#attributesDue > 0);
	}

	/** A frame as it is to be written: with the questions that it takes. */
	withQuestion(frame: string): string {
		const first = this.#begun ? '' : this.#begin();
		this.#since += Buffer.byteLength(frame);
		return first + frame + (this.#wantsAnswer() ? this.#ask() : '');
	}

	/** To be called for each answer of the terminal. */
	answered(answer: Answer): void {
		this.#told.add(answer);
		if (answer === 'status') this.#answeredStatus();
		else this.#answeredAttributes();
		if (this.#stopped && !this.due) this.#onQuiet();
	}

	/** To be called when a key was typed: somebody is there. */
	typed(): void {
		const sinceMs = this.#clock.now() - this.#lastAskedAt;
		if (this.#open && !this.#stopped && sinceMs >= leastRepeatMs) this.#repeat();
	}

	/** Begins anew: with the next frame the terminal, perhaps another one, is asked what it is. */
	restart(): void {
		this.#cancelRepeat();
		this.#cancelFirst();
		this.#onQuiet = () => {};
		this.#told.clear();
		[this.#trusted, this.#begun, this.#open, this.#stopped] = [true, false, false, false];
		[this.#asked, this.#since, this.#tookMs, this.#repeats, this.#attributesDue] = [0, 0, 0, 0, 0];
		this.#room = leastRoom;
	}

	/** Asks no more, and has no room for anything more, until `restart`. */
	stop(): void {
		this.#stopped = true;
		this.#cancelRepeat();
	}

	/** Stops, and settles when no answer is due any more, after `limitMs` at the latest. */
	settled(limitMs: number): Promise<void> {
		this.stop();
		if (!this.due) return Promise.resolve();
		return new Promise(resolve => {
			const cancel = this.#clock.after(limitMs, resolve);
			this.#onQuiet = () => {
				cancel();
				resolve();
			};
		});
	}

	#begin(): string {
		this.#begun = true;
		this.#attributesDue++;
		this.#cancelFirst = this.#clock.after(firstAnswerMs, () => {
			this.#trusted = false;
			if (this.#stopped) this.#onQuiet();
			else this.#onTaken();
		});
		return attributesQuestion;
	}

	#wantsAnswer(): boolean {
		if (this.#open || this.#since === 0) return false;
		const silentMs = this.#clock.now() - this.#askedAt;
		return this.late || this.#since >= this.#room - spareRoom || silentMs >= mostSilenceMs;
	}

	#ask(): string {
		this.#open = true;
		[this.#asked, this.#since, this.#repeats] = [this.#asked + this.#since, 0, 0];
		this.#askedAt = this.#lastAskedAt = this.#clock.now();
		this.#awaitRepeat();
		return statusQuestion;
	}

	#awaitRepeat(): void {
		this.#cancelRepeat();
		const waitMs = Math.min(leastRepeatMs * 2 ** this.#repeats, mostRepeatMs);
		this.#cancelRepeat = this.#clock.after(waitMs, () => this.#repeat());
	}

	#repeat(): void {
		this.#repeats++;
		this.#attributesDue++;
		[this.#asked, this.#since] = [this.#asked + this.#since, 0];
		this.#lastAskedAt = this.#clock.now();
		this.#awaitRepeat();
		this.#write(attributesQuestion);
	}

	#answeredStatus(): void {
		this.#trusted ||= this.#told.has('attributes');
		if (!this.#open) return;
		// What was asked before is answered or lost.
		this.#attributesDue = this.#repeats;
		this.#taken();
	}

	#answeredAttributes(): void {
		if (this.#attributesDue === 0) return;
		this.#cancelFirst();
		this.#attributesDue--;
		const overtaken = this.#open && this.#repeats > 0;
		this.#trusted = this.#told.has('status') || !overtaken;
		// The question for the status came before: its answer is lost.
		if (overtaken) this.#taken();
	}

	#taken(): void {
		this.#tookMs = this.#clock.now() - this.#askedAt;
		[this.#open, this.#asked, this.#repeats] = [false, 0, 0];
		this.#room = this.late ? leastRoom : Math.min(this.#room * 2, mostRoom);
		this.#cancelRepeat();
		if (this.#stopped) return;
		// A frame that waits brings the question along.
		this.#onTaken();
		if (this.#wantsAnswer()) this.#write(this.#ask());
	}
}
