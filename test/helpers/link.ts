/** What a connection is like; default: at once. */
export type LinkOptions = {
	readonly bytesPerSecond?: number | undefined;
	/** From the terminal's answer to the program. */
	readonly answerMs?: number | undefined;
};

/** The buffers of a connection: they take all that the program writes, and hand on what the connection lets through. */
export type Link = {
	/** Takes what the program wrote. */
	write(data: string): void;
	/** Takes what the terminal answered. */
	answer(data: string): void;
	/** Bytes written that have not come through. */
	underWay(): number;
	/** Lets nothing through, in neither direction. */
	stop(): void;
	/** Lets all that waits through at once, then goes on as before. */
	resume(): void;
	/** Settles when all that was written has come through. */
	drained(): Promise<void>;
};

const stepMs = 50;

/** Hands what comes through to `show` and `hear`. */
export function createLink(
	{bytesPerSecond = Number.POSITIVE_INFINITY, answerMs = 0}: LinkOptions,
	show: (data: string) => void,
	hear: (data: string) => void,
): Link {
	let [waiting, answers, stopped] = ['', '', false];
	let ticking = false;
	let onDrained = (): void => {};

	function pass(length: number): void {
		if (stopped || length === 0) return;
		const passed = waiting.slice(0, length);
		waiting = waiting.slice(length);
		if (passed !== '') show(passed);
		if (waiting === '') onDrained();
	}

	function step(): void {
		ticking = false;
		pass(Math.ceil((bytesPerSecond * stepMs) / 1000));
		schedule();
	}

	function schedule(): void {
		if (waiting === '' || stopped || ticking) return;
		ticking = true;
		setTimeout(step, stepMs);
	}

	function passAnswers(): void {
		if (stopped || answers === '') return;
		const passed = answers;
		answers = '';
		hear(passed);
	}

	return {
		write(data) {
			waiting += data;
			if (bytesPerSecond === Number.POSITIVE_INFINITY) pass(waiting.length);
			else schedule();
		},
		answer(data) {
			answers += data;
			if (answerMs === 0) passAnswers();
			else setTimeout(passAnswers, answerMs);
		},
		underWay: () => Buffer.byteLength(waiting),
		stop() {
			stopped = true;
		},
		resume() {
			stopped = false;
			pass(waiting.length);
			passAnswers();
		},
		drained: () =>
			new Promise(resolve => {
				onDrained = resolve;
				if (waiting === '') resolve();
			}),
	};
}
