import type {Clock} from '../market/clock.ts';
import {minuteMs} from '../market/units.ts';

type FlowControlOptions = {
	readonly clock: Clock;
	/** Writes to the terminal. */
	readonly write: (text: string) => void;
};

type Question = {
	readonly column: number;
	/** Bytes sent before it. */
	readonly sentBytes: number;
	/** Epoch ms. */
	readonly askedAt: number;
};

/** Limits of the unacknowledged bytes: at first, and once answers arrive in time. */
const leastRoom = 2048;
const mostRoom = 16_384;
/** The part of the room that is kept for frames sent while an answer is on its way: about a second of frames. */
const spareRoom = 4096;
/** A question is asked at least this often, even if the screen changes little. */
const mostSilenceMs = 10_000;
/** An answer that takes longer was held up in a queue: distance alone does not explain it. */
const lateMs = 1000;
/** If the first question is not answered within this, frames no longer wait for answers. */
const firstAnswerMs = 500;
/** At the end, a terminal that has not answered yet gets this long: an answer that came later would appear at the prompt. */
const lastFirstAnswerMs = 2000;
const leastRepeatMs = 5000;
const mostRepeatMs = minuteMs;
/** Questions use the columns from 1 to this in turn; the smallest screen has more. */
const questionColumns = 32;

/**
 * Tracks how much of its output a terminal has processed. A write that the system has accepted can stay for minutes in the
 * buffers of a slow connection; only the terminal itself knows what it has shown. So after a frame it is asked for its cursor
 * position (CPR), and it answers once it has processed everything before. Each question puts the cursor in another column, so
 * an answer shows which question it belongs to; answers to earlier questions are no longer awaited.
 *
 * - Frames are sent while the unacknowledged bytes leave room: 2 kB, doubled with each answer that arrives in time, up to
 *   16 kB, so that a delay of 300 ms costs no frame. A terminal that is stuck has at most that and one frame on its way.
 * - After an answer that took over a second, only one frame is sent at a time, so that the screen at the end of a slow link
 *   lags by no more than one frame takes.
 * - A question is asked only when the room gets short, every few seconds: to SSH an answer is a key, and OpenSSH 9.5 and
 *   later hides the timing of each key in a hundred packets.
 * - Answers can get lost (a detached session). The question is repeated after five seconds, then after twice as long each
 *   time, up to a minute. A key that is typed meanwhile repeats it at once.
 * - A terminal that does not answer is waited for only once, for half a second.
 */
export class FlowControl {
	readonly #clock: Clock;
	readonly #write: (text: string) => void;
	#onRoom = (): void => {};
	/** Whether frames wait for answers. */
	#answers = true;
	#started = false;
	#stopped = false;
	/** Questions that may still be answered, oldest first, so `sentBytes` never decreases. */
	#questions: Question[] = [];
	#questionCount = 0;
	/**
	 * Bytes sent: all, those before the last question, and those before the last answered question. Invariant:
	 * `#acknowledged` ≤ `#sentBeforeQuestion` ≤ `#sent`.
	 */
	#sent = 0;
	#sentBeforeQuestion = 0;
	#acknowledged = 0;
	#room = leastRoom;
	/** Epoch ms. */
	#askedAt = 0;
	/** How long the last answer took. */
	#tookMs = 0;
	#cancelRepeat = (): void => {};
	#cancelFirst = (): void => {};
	/** Whether the first answer is still awaited. */
	#isFirst = false;
	/** Ends the wait for the last answers. */
	#onQuiet = (): void => {};

	constructor({clock, write}: FlowControlOptions) {
		this.#clock = clock;
		this.#write = write;
	}

	/** Runs `listener` each time the terminal may have room for another frame. */
	onRoom(listener: () => void): void {
		this.#onRoom = listener;
	}

	/** Whether another frame has to wait. */
	get behind(): boolean {
		const ahead = this.#sent - this.#acknowledged;
		return this.#answers && ahead > 0 && (ahead >= this.#room || this.late);
	}

	/** Whether the last answer, or the one that is due, takes over a second: the terminal is slow, not just far away. */
	get late(): boolean {
		const [oldest] = this.#questions;
		return this.#tookMs >= lateMs || (oldest !== undefined && this.#clock.now() - oldest.askedAt >= lateMs);
	}

	/** Whether an answer is expected. */
	get due(): boolean {
		return this.#answers && this.#questions.length > 0;
	}

	/** How long the last answer took. */
	get delayMs(): number {
		return this.#tookMs;
	}

	/** Adds the questions that are needed to a frame. They leave the cursor where it is. */
	withQuestion(frame: string): string {
		const first = this.#started ? '' : this.#begin();
		this.#sent += Buffer.byteLength(frame);
		return first + frame + (this.#wantsAnswer() ? this.#ask() : '');
	}

	/** Asks at once, so that an answer is due after those to everything sent before. */
	ask(): void {
		if (!this.#stopped) this.#write(this.#ask());
	}

	/** Call for each answer of the terminal, with its column. */
	answered(column: number): void {
		const index = this.#questions.findLastIndex(question => question.column === column);
		const question = this.#questions[index];
		if (!question) return;
		this.#cancelFirst();
		this.#isFirst = false;
		this.#answers = true;
		this.#questions = this.#questions.slice(index + 1);
		this.#tookMs = this.#clock.now() - question.askedAt;
		// An answer without new bytes before its question says nothing about the room.
		if (question.sentBytes > this.#acknowledged) {
			this.#acknowledged = question.sentBytes;
			this.#room = this.late ? leastRoom : Math.min(this.#room * 2, mostRoom);
		}

		if (this.#questions.length === 0) this.#cancelRepeat();
		if (this.#stopped) {
			if (!this.due) this.#onQuiet();
			return;
		}

		// A waiting frame carries the next question.
		this.#onRoom();
		if (this.#wantsAnswer()) this.#write(this.#ask());
	}

	/** Call when a key was typed, which shows that somebody is there. */
	typed(): void {
		const sinceMs = this.#clock.now() - this.#askedAt;
		if (this.#questions.length > 0 && !this.#stopped && sinceMs >= leastRepeatMs) this.#write(this.#ask());
	}

	/** Forgets all questions and answers, as the terminal may be another one. */
	restart(): void {
		this.#cancelRepeat();
		this.#cancelFirst();
		this.#onQuiet = () => {};
		this.#questions = [];
		[this.#answers, this.#started, this.#stopped, this.#isFirst] = [true, false, false, false];
		[this.#sent, this.#sentBeforeQuestion, this.#acknowledged, this.#tookMs, this.#room] = [0, 0, 0, 0, leastRoom];
	}

	/** Asks a terminal that answers once more, as what it sent before arrives before its answer, and then no more until `restart`. */
	askLast(): void {
		if (this.#started && this.#answers) this.ask();
		this.#stopped = true;
		this.#cancelRepeat();
		this.#cancelFirst();
	}

	/** Asks a last time, and settles when no answer is due, at the latest after `limitMs`; 0: nobody is there to answer. */
	settled(limitMs: number): Promise<void> {
		this.#answers &&= limitMs > 0;
		this.askLast();
		if (!this.due) return Promise.resolve();
		return new Promise(resolve => {
			const longestMs = this.#isFirst ? Math.min(limitMs, lastFirstAnswerMs) : limitMs;
			const cancel = this.#clock.after(longestMs, resolve);
			this.#onQuiet = () => {
				cancel();
				resolve();
			};
		});
	}

	#begin(): string {
		this.#started = true;
		this.#isFirst = true;
		this.#cancelFirst = this.#clock.after(firstAnswerMs, () => {
			this.#answers = false;
			this.#onRoom();
		});
		return this.#ask();
	}

	#wantsAnswer(): boolean {
		const unanswered = this.#sentBeforeQuestion > this.#acknowledged;
		const since = this.#sent - this.#sentBeforeQuestion;
		if (unanswered || since === 0) return false;
		const silentMs = this.#clock.now() - this.#askedAt;
		return this.late || since >= this.#room - spareRoom || silentMs >= mostSilenceMs;
	}

	#ask(): string {
		const column = 1 + (this.#questionCount++ % questionColumns);
		this.#sentBeforeQuestion = this.#sent;
		this.#askedAt = this.#clock.now();
		// An older one has the column of a newer one.
		const before = this.#questions.slice(1 - questionColumns);
		this.#questions = [...before, {column, sentBytes: this.#sent, askedAt: this.#askedAt}];
		const waitMs = Math.min(leastRepeatMs * 2 ** (this.#questions.length - 1), mostRepeatMs);
		this.#cancelRepeat();
		this.#cancelRepeat = this.#clock.after(waitMs, () => this.#write(this.#ask()));
		// Not in the first row, where the answer could be mistaken for a key: F3 with Shift, Alt or Ctrl.
		return `\u001B7\u001B[2;${column}H\u001B[6n\u001B8`;
	}
}
