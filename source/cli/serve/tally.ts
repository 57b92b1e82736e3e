import type {Observe} from '../../client/exchange.ts';
import {formatCount, formatExact, formatFixed} from '../../format/number.ts';
import type {Clock} from '../../market/clock.ts';
import {minuteMs} from '../../market/units.ts';
import type {Log} from '../log.ts';
import type {Output} from '../output.ts';

/** What a server has done since its start. */
export type Tally = Readonly<typeof nothing>;

const nothing = {
	logins: 0,
	/** Connections and viewers that were turned away. */
	refusals: 0,
	/** Requests to the exchange, and those of them that failed. */
	requests: 0,
	failures: 0,
	/** Sent to viewers. */
	bytes: 0,
	/** Frames that slow viewers missed. */
	droppedFrames: 0,
	/** Viewers that were disconnected because of a defect of the program. */
	defects: 0,
};

export type Tallying = ReturnType<typeof createTally>;

/** Counts what a server does. */
export function createTally() {
	let tally: Tally = nothing;
	const add = (name: keyof Tally, count: number): void => {
		tally = {...tally, [name]: tally[name] + count};
	};
	const observe: Observe = ({error}) => {
		add('requests', 1);
		if (error) add('failures', 1);
	};
	return {add, observe, now: () => tally};
}

/** What was done between two tallies. */
const since = (before: Tally, after: Tally): Tally => {
	const differences = Object.entries(after).map(([name, count]) => [name, count - before[name as keyof Tally]]);
	return Object.fromEntries(differences) as Tally;
};

/** `12 viewers · 1 log-in, 0 refused · 96 requests, 2 failed · 1.3 MB sent · 0 frames dropped`. */
function tallyText(
	viewers: number,
	{logins, refusals, requests, failures, bytes, droppedFrames, defects}: Tally,
): string {
	return [
		formatCount(viewers, 'viewer'),
		`${formatCount(logins, 'log-in')}, ${formatExact(refusals)} refused`,
		`${formatCount(requests, 'request')}, ${formatExact(failures)} failed`,
		`${formatFixed(bytes / 1_000_000, 1)} MB sent`,
		`${formatCount(droppedFrames, 'frame')} dropped`,
		...(defects > 0 ? [formatCount(defects, 'defect')] : []),
	].join(' · ');
}

type ReportOptions = {
	readonly clock: Clock;
	readonly output: Pick<Output, 'note'>;
	/** Absent: there is no log. */
	readonly log?: Pick<Log, 'served'> | undefined;
	viewers(): number;
	tally(): Tally;
};

/** Says once a minute what was done in it, in the log if there is one. The returned function stops that. */
export function reportEveryMinute({clock, output, log, viewers, tally}: ReportOptions): () => void {
	let before = tally();
	let cancel = () => {};
	const say = () => {
		const now = tally();
		const done = since(before, now);
		before = now;
		if (log) log.served({viewers: viewers(), ...done});
		else output.note(tallyText(viewers(), done));
		cancel = clock.after(minuteMs, say);
	};
	cancel = clock.after(minuteMs, say);
	return () => cancel();
}
