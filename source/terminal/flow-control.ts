import type {Clock} from '../market/clock.ts';
import {minuteMs} from '../market/units.ts';

type FlowControlOptions = {
	readonly clock: Clock;
	/** Writes to the terminal. */
	readonly write: (text: string) => void;
};

type Question = {
	readonly column: number;
	/** All that was sent before it. */
	readonly sentBytes: number;
	/** Epoch ms. */
	readonly askedAt: number;
};

/** Bytes that may be without an answer: at first, and once answers come in time. */
const leastRoom = 2048;
const mostRoom = 16_384;
/** So much of that is for what is sent while an answer is on its way: a second of frames. */
const spareRoom = 4096;
/** A screen that changes little asks at least this often. */
const mostSilenceMs = 10_000;
/** An answer that takes longer does not come from far away, it stood in a queue. */
const lateMs = 1000;
/** A terminal that has not answered for so long after the first question is not waited for. */
const firstAnswerMs = 500;
const leastRepeatMs = 5000;
const mostRepeatMs = minuteMs;
/** Questions have the columns from 1 to this in turn; the smallest screen has more. */
const questionColumns = 32;

/**
 * How far a terminal has got with what it was given. A write that the system has taken can stand for minutes in the buffers
 * of a slow connection; only the terminal itself knows what it has shown. So it is asked where its cursor is (CPR) behind a
 * frame, and answers when it has interpreted all before. Each question puts the cursor in another column, so an answer
 * tells which question it is for: answers to the ones before are not waited for any more.
 *
 * - A frame may follow others while they leave room: 2 kB, twice as much with each answer that comes in time, up to 16 kB;
 *   so a distance of 300 ms costs no frame. However long a terminal stands still, no more than that and a frame is on its
 *   way to it.
 * - After an answer that took over a second there is one frame at a time: what is on the screen of a slow link is then as
 *   old as one frame takes.
 * - A question is asked when the room gets short, once in some seconds: an answer is a key to SSH, and since 9.5 OpenSSH
 *   hides the time of each in a hundred packets.
 * - Answers can get lost (a session that was detached). After five seconds, then after twice as many each time, up to a
 *   minute, the question is asked again; a key that is typed meanwhile asks at once.
 * - A terminal that does not answer is waited for once, half a second.
 */
export class FlowControl {
	readonly #clock: Clock;
	readonly #write: (text: string) => void;
	#onRoom = (): void => {};
	/** Frames wait for answers. */
	#answers = true;
	#started = false;
	#stopped = false;
	/** Those that may still be answered, oldest first, so `sentBytes` never decreases. */
	#questions: Question[] = [];
	#questionCount = 0;
	/**
	 * Bytes: all, those before the last question, and those before the last question that was answered; always
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

	/** Another frame has to wait. */
	get behind(): boolean {
		const ahead = this.#sent - this.#acknowledged;
		return this.#answers && ahead > 0 && (ahead >= this.#room || this.late);
	}

	/** The last answer took over a second, or the one that is due does: the terminal is slow, not just far away. */
	get late(): boolean {
		const [oldest] = this.#questions;
		return this.#tookMs >= lateMs || (oldest !== undefined && this.#clock.now() - oldest.askedAt >= lateMs);
	}

	/** An answer is likely to come. */
	get due(): boolean {
		return this.#answers && this.#questions.length > 0;
	}

	/** A frame as it is to be written: with the questions that it takes, which leave the cursor where it is. */
	withQuestion(frame: string): string {
		const first = this.#started ? '' : this.#begin();
		this.#sent += Buffer.byteLength(frame);
		return first + frame + (this.#wantsAnswer() ? this.#ask() : '');
	}

	/** To be called for each answer of the terminal, with the column that it names. */
	answered(column: number): void {
		const index = this.#questions.findLastIndex(question => question.column === column);
		const question = this.#questions[index];
		if (!question) return;
		this.#cancelFirst();
		this.#answers = true;
		this.#questions = this.#questions.slice(index + 1);
		this.#tookMs = this.#clock.now() - question.askedAt;
		// The answer to a question with nothing before it does not tell how much there is room for.
		if (question.sentBytes > this.#acknowledged) {
			this.#acknowledged = question.sentBytes;
			this.#room = this.late ? leastRoom : Math.min(this.#room * 2, mostRoom);
		}

		if (this.#questions.length === 0) this.#cancelRepeat();
		if (this.#stopped) {
			if (!this.due) this.#onQuiet();
			return;
		}

		// A frame that waits brings the question along.
		this.#onRoom();
		if (this.#wantsAnswer()) this.#write(this.#ask());
	}

	/** To be called when a key was typed: somebody is there. */
	typed(): void {
		const sinceMs = this.#clock.now() - this.#askedAt;
		if (this.#questions.length > 0 && !this.#stopped && sinceMs >= leastRepeatMs) this.#write(this.#ask());
	}

	/** Forgets all questions and answers: the terminal may be another one. */
	restart(): void {
		this.#cancelRepeat();
		this.#cancelFirst();
		this.#onQuiet = () => {};
		this.#questions = [];
		[this.#answers, this.#started, this.#stopped] = [true, false, false];
		[this.#sent, this.#sentBeforeQuestion, this.#acknowledged, this.#tookMs, this.#room] = [0, 0, 0, 0, leastRoom];
	}

	/** Asks no more, until `restart`. */
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
		this.#started = true;
		this.#cancelFirst = this.#clock.after(firstAnswerMs, () => {
			this.#answers = false;
			if (this.#stopped) this.#onQuiet();
			else this.#onRoom();
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
		this.#questions.push({column, sentBytes: this.#sent, askedAt: this.#askedAt});
		const waitMs = Math.min(leastRepeatMs * 2 ** (this.#questions.length - 1), mostRepeatMs);
		this.#cancelRepeat();
		this.#cancelRepeat = this.#clock.after(waitMs, () => this.#write(this.#ask()));
		// Not in the first row, where the answer could be taken for a key: F3 with Shift, Alt or Ctrl.
		return `\u001B7\u001B[2;${column}H\u001B[6n\u001B8`;
	}
}
