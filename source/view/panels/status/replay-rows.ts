import {formatZonedClock, formatZonedDateTime} from '../../../format/time.ts';
import type {Zone} from '../../../format/zone.ts';
import {clamp} from '../../../market/numbers.ts';
import type {ReplayStatus} from '../../../recording/replay-controls.ts';
import type {Writing} from '../../line.ts';
import {fitLine, type Line, lineWidth, type Span} from '../../line.ts';
import {firstFitting} from '../../marks.ts';

type ReplayLineInput = Writing & {
	/** Always shown after the time. */
	readonly marks: Line;
	/** What fails at that moment; left out where there is no room. */
	readonly feed: Line;
	/** What stands in the place of the bar, from long to short; empty: nothing. */
	readonly messages: readonly string[];
	/** Whether that waits for the user, else it is a notice. */
	readonly isWaiting: boolean;
	readonly columns: number;
};

const leastBar = 8;

/** One row: what is shown, its time, whether it plays and how fast, and a bar of the recording where there is room. */
export function replayLine(status: ReplayStatus, input: ReplayLineInput): Line {
	const {marks, feed, messages, isWaiting, columns, ascii, zone} = input;
	const head = (time: string, ...more: Line): Line => [...moment(status, time), ...more, ...marks];
	const pace: Span = {text: ` ${paceText(status, ascii)}`, tone: 'accent'};
	const [date, clock] = [formatZonedDateTime(status.time, zone), formatZonedClock(status.time, zone)];
	const [shortest] = messages.slice(-1);
	if (shortest !== undefined) {
		// How long ago it is says the time, too.
		const befores = status.note === undefined ? [head(clock)] : [head(clock), [...labelOf(status), ...marks]];
		const textAfter = (before: Line) => firstFitting(messages, columns - lineWidth(before) - 1);
		const before = befores.find(line => textAfter(line) !== '') ?? head(clock);
		const text = textAfter(before) || shortest;
		return fitLine([...before, {text: ' '}, {text, tone: 'warn', inverse: isWaiting}], columns);
	}

	const note = noteOf(status, ascii);
	const heads = [
		[...head(date, pace), ...note, ...feed],
		[...head(clock, pace), ...note, ...feed],
		[...head(clock, pace), ...feed],
		head(date, pace),
		head(clock, pace),
	];
	const fitting =
		heads.find(line => lineWidth(line) + leastBar + 2 <= columns) ??
		heads.findLast(line => lineWidth(line) <= columns) ??
		head(clock);
	const room = columns - lineWidth(fitting) - 2;
	return fitLine(room < leastBar ? fitting : [...fitting, {text: ' '}, ...replayBar(status, room, ascii)], columns);
}

/** A sign that is seen without colour that this is not the present, and the recorded time. */
const moment = (status: Pick<ReplayStatus, 'label'>, time: string): Line => [
	...labelOf(status),
	{text: ` ${time}`, tone: 'strong'},
];

const labelOf = ({label}: Pick<ReplayStatus, 'label'>): Line => [{text: ` ${label} `, tone: 'warn', inverse: true}];

const noteOf = ({note}: ReplayStatus, ascii: boolean): Line =>
	note === undefined ? [] : [{text: `${ascii ? ' - ' : ' · '}${note}`, tone: 'muted'}];

/** Cells of one row that hints leave to the recorded moment. */
export const leastReplay = (status: ReplayStatus, ascii: boolean, zone?: Zone): number =>
	50 + lineWidth([...noteOf(status, ascii), {text: formatZonedClock(status.time, zone).slice(clockWidth)}]);

const clockWidth = '00:00:00'.length;

/** What must be seen of a replay beside anything else. */
export const replayMark = (status: ReplayStatus, zone?: Zone): Line =>
	moment(status, formatZonedClock(status.time, zone));

function paceText({isPlaying, speed}: ReplayStatus, ascii: boolean): string {
	const pace = speed === 'max' ? 'max' : `${ascii ? 'x' : '×'}${speed}`;
	if (!isPlaying) return `paused${speed === 1 ? '' : ` ${pace}`}`;
	return `${ascii ? '>' : '▶'} ${pace}`;
}

/** The recording from its first to its last moment. A cell with a part that was not recorded is hatched, `!` marks alerts. */
function replayBar({from, to, time, gaps, alerts}: ReplayStatus, columns: number, ascii: boolean): Line {
	const cellMs = Math.max(to - from, 1) / columns;
	const cellOf = (at: number) => clamp(Math.floor((at - from) / cellMs), 0, columns - 1);
	const called = new Set(alerts.map(cellOf));
	const shown = cellOf(time);
	return Array.from({length: columns}, (_, cell): Span => {
		if (cell === shown) return {text: ascii ? 'O' : '●', tone: 'accent'};
		if (called.has(cell)) return {text: '!', tone: 'warn'};
		const begins = from + cell * cellMs;
		const isGap = gaps.some(gap => gap.from < begins + cellMs && begins < gap.to);
		if (isGap) return {text: ascii ? '/' : '╱', tone: 'muted'};
		return {text: ascii ? '-' : '━', tone: 'border'};
	});
}
