import {formatClock, formatDateTime} from '../../../format/time.ts';
import {clamp} from '../../../market/numbers.ts';
import type {ReplayStatus} from '../../../recording/replay-controls.ts';
import {fitLine, type Line, lineWidth, type Span} from '../../line.ts';

const leastBar = 8;

/** One row: label, time, speed, then `feed` and a bar of the recording where there is room. */
export function replayLine(
	status: ReplayStatus,
	{feed, columns, ascii}: {readonly feed: Line; readonly columns: number; readonly ascii: boolean},
): Line {
	const mark: Span = {text: ` ${status.label} `, tone: 'warn', inverse: true};
	const pace: Span = {text: ` ${paceText(status, ascii)}`, tone: 'accent'};
	const times = [formatDateTime(status.time), formatClock(status.time)];
	const heads = [
		...times.map((time): Line => [mark, {text: ` ${time}`, tone: 'strong'}, pace, ...feed]),
		[mark, {text: ` ${times[1]}`, tone: 'strong'}, pace],
	] satisfies readonly Line[];
	const head = heads.find(line => lineWidth(line) + leastBar + 2 <= columns) ?? heads.at(-1) ?? [];
	const room = columns - lineWidth(head) - 2;
	return fitLine(room < leastBar ? head : [...head, {text: ' '}, ...replayBar(status, room, ascii)], columns);
}

function paceText({isPlaying, speed}: ReplayStatus, ascii: boolean): string {
	if (!isPlaying) return 'paused';
	const times = ascii ? 'x' : '×';
	return `${ascii ? '>' : '▶'} ${speed === 'max' ? 'max' : times + speed}`;
}

/** The recording from its first to its last moment: what was not recorded is hatched, `!` marks alerts. */
function replayBar({from, to, time, gaps, alerts}: ReplayStatus, columns: number, ascii: boolean): Line {
	const cellMs = Math.max(to - from, 1) / columns;
	const cellOf = (at: number) => clamp(Math.floor((at - from) / cellMs), 0, columns - 1);
	const called = new Set(alerts.map(cellOf));
	const shown = cellOf(time);
	return Array.from({length: columns}, (_, cell): Span => {
		if (cell === shown) return {text: ascii ? 'O' : '●', tone: 'accent'};
		if (called.has(cell)) return {text: '!', tone: 'warn'};
		const middle = from + (cell + 0.5) * cellMs;
		const isGap = gaps.some(gap => gap.from <= middle && middle < gap.to);
		if (isGap) return {text: ascii ? '/' : '╱', tone: 'muted'};
		return {text: ascii ? '-' : '━', tone: 'border'};
	});
}
