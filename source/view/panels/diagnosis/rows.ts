import type {Budget} from '../../../client/exchange.ts';
import type {Words} from '../../../client/messages.ts';
import type {Size} from '../../../format/cells.ts';
import {formatExact, formatFixed} from '../../../format/number.ts';
import {formatAge, formatZonedClock} from '../../../format/time.ts';
import type {Zone} from '../../../format/zone.ts';
import {operationTitle} from '../../../market/types.ts';
import {clockWords} from '../../../store/clock-skew.ts';
import type {Diagnosis, OperationHealth} from '../../../store/diagnosis.ts';
import {stampsWords} from '../../../store/trade-time.ts';
import {bodySize, frameOverlay} from '../../frame.ts';
import {table} from '../../kit/table.ts';
import type {Line, Tone} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import type {OverlayView} from '../../resource-panel.ts';
import {type Labelled, labelledRows} from '../../wrap.ts';
import {budgetText} from '../status/rows.ts';

export type DiagnosisInput = {
	readonly diagnosis: Diagnosis;
	readonly budget: Budget;
	/** How far the exchange's clock is ahead of ours, in ms (below 0: behind); absent: not noticeably. */
	readonly skewMs?: number | undefined;
	/** How far the stamps of its answers are ahead of its trades' own times, in ms (below 0: behind); absent: less than 2 s. */
	readonly stampsAheadMs?: number | undefined;
	/** Epoch ms. */
	readonly now: number;
	/** Default UTC. */
	readonly zone?: Zone | undefined;
};

type Column = {
	readonly name: string;
	/** Of the highest rank, columns are left out first where room is short. */
	readonly rank: number;
	cell(health: OperationHealth, none: string): string;
};

const ms = (value: number | undefined, none: string): string => (value === undefined ? none : formatFixed(value, 0));

const columns: readonly Column[] = [
	{name: 'sent', rank: 0, cell: ({requests}) => formatFixed(requests, 0)},
	{name: 'failed', rank: 0, cell: ({failures}) => formatFixed(failures, 0)},
	{name: 'last ms', rank: 2, cell: ({lastMs}, none) => ms(lastMs, none)},
	{name: 'p50 ms', rank: 1, cell: ({p50Ms}, none) => ms(p50Ms, none)},
	{name: 'p95 ms', rank: 0, cell: ({p95Ms}, none) => ms(p95Ms, none)},
	{name: 'kB/answer', rank: 4, cell: ({bytes}, none) => (bytes === undefined ? none : formatFixed(bytes / 1000, 1))},
	{name: 'dropped', rank: 3, cell: ({dropped}) => formatFixed(dropped, 0)},
];

function toneOf({failing, dropped}: OperationHealth): Tone | undefined {
	if (failing) return 'error';
	return dropped > 0 ? 'warn' : undefined;
}

const labelColumns = 15;

export type DiagnosisPanelInput = DiagnosisInput &
	OverlayView & {
		/** First row shown, counted from 0. */
		readonly scroll: number;
	};

/** The framed diagnosis from row `scroll` on. */
export function diagnosisPanel({size, scroll, keyHint, ascii, ...input}: DiagnosisPanelInput): readonly Line[] {
	const titles = ['Diagnosis since start', 'Diagnosis'];
	return frameOverlay(
		{command: 'diagnosis', titles, scroll, keyHint, size, ascii},
		diagnosisBody(input, bodySize(size), ascii),
	);
}

/** The request budget, the health of every operation and the last errors, in as many rows as they need at this width. */
export function diagnosisBody(
	{diagnosis, budget, skewMs, stampsAheadMs, now, zone}: DiagnosisInput,
	size: Size,
	ascii: boolean,
): readonly Line[] {
	const {none} = marksFor(ascii);
	const {lines} = table(
		[{titles: ['operation']}, ...columns.map(({name, rank}) => ({titles: [name], rank, alignment: 'right' as const}))],
		diagnosis.map(health => [operationTitle(health), ...columns.map(({cell}) => cell(health, none))]),
		{width: size.columns - 1},
	);
	const [heading = '', ...operations] = lines.map(text => ` ${text}`);
	const errors = diagnosis.flatMap(health => (health.lastError ? [{health, ...health.lastError}] : []));
	return [
		...labelledRows({label: 'requests', labelTone: 'muted', text: budgetText(budget, now)}, labelColumns, size),
		...(skewMs === undefined ? [] : labelledRows(clockRow(clockWords(skewMs)), labelColumns, size)),
		...(stampsAheadMs === undefined ? [] : labelledRows(clockRow(stampsWords(stampsAheadMs)), labelColumns, size)),
		...cacheRows(diagnosis).flatMap(row => labelledRows(row, labelColumns, size)),
		[],
		[{text: heading, tone: 'muted'}],
		...operations.map((text, index): Line => {
			const health = diagnosis[index];
			return [{text, tone: health && toneOf(health)}];
		}),
		...(errors.length > 0 ? [[], [{text: ' Last errors', tone: 'title' as const}]] : []),
		...errors.flatMap(({health, at, text}) =>
			labelledRows(
				{
					label: operationTitle(health),
					labelTone: 'muted',
					text: `${formatZonedClock(at, zone)} ${text}`,
					tone: health.failing ? 'error' : undefined,
				},
				labelColumns,
				size,
			),
		),
	];
}

/** How many answers came from a cache, and how old the last one was. */
const cacheRows = (diagnosis: Diagnosis): readonly Labelled[] =>
	diagnosis.flatMap(({cache, requests, failures, ...operation}, index) => {
		if (!cache) return [];
		const isFirst = diagnosis.findIndex(each => each.cache) === index;
		const hits = `${formatExact(cache.hits)} of ${formatExact(requests - failures)} answers`;
		const text = `${operationTitle(operation)}: ${hits}, the last ${formatAge(cache.lastAgeMs)} old`;
		return [{label: isFirst ? 'from cache' : '', labelTone: 'muted', text}];
	});

const clockRow = ({text, advice}: Words): Labelled => ({
	...{label: 'clock', labelTone: 'muted', text: `${text}; ${advice}`, tone: 'warn'},
});
