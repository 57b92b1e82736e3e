import type {Look, LookAt} from './look.ts';
import type {InspectedOperation} from './operations.ts';

/** Asks one exchange, one question after another, and keeps all that was seen. */
export type Interview = {
	/** Every look, oldest first. */
	readonly looks: readonly Look[];
	/** About this market from now on. */
	about(symbol: string): void;
	ask<T>(asked: InspectedOperation<T>, query?: Readonly<Record<string, number>>): Promise<Look<T>>;
	/** Asks and keeps the look with its operation, unless that has done nothing but fail. */
	sample(asked: InspectedOperation): Promise<void>;
};

type InterviewOptions = {
	readonly lookAt: LookAt;
	/** Told before each request how many were made. */
	readonly onRequest: (made: number) => void;
};

/** So often an operation that only fails is asked before it is left alone. */
const mostFailures = 2;

export function createInterview({lookAt, onRequest}: InterviewOptions): Interview {
	const looks: Look[] = [];
	let symbol = '';

	const interview: Interview = {
		looks,
		about(chosen) {
			symbol = chosen;
		},
		async ask(asked, query) {
			onRequest(looks.length);
			const look = await lookAt(asked.interface, asked.request(symbol, query), asked.decode);
			looks.push(look);
			return look;
		},
		async sample(asked) {
			if (asked.looks.length >= mostFailures && !hasAnswered(asked)) return;
			asked.looks.push(await interview.ask(asked));
		},
	};
	return interview;
}

export const hasAnswered = ({looks}: InspectedOperation): boolean => looks.some(look => look.answer);

/** What the last good look found. */
export const lastAnswer = <T>({looks}: InspectedOperation<T>): T | undefined =>
	looks.findLast(look => look.answer)?.answer?.data;
