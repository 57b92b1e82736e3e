import type {Budget} from '../../client/exchange.ts';
import {formatAge, formatClock} from '../../format/time.ts';
import {interfaceName} from '../../market/types.ts';
import type {MarketState} from '../../store/state.ts';
import {keymap} from '../keymap.ts';
import {fitLine, type Line, lineWidth, type Span} from '../line.ts';
import {isStale} from '../panel-status.ts';

export type StatusInput = {
	readonly state: Pick<
		MarketState,
		'budget' | 'choice' | 'paused' | 'depth' | 'tape' | 'tickers' | 'candles' | 'markets'
	>;
	/** As the exchange or the configuration names it. */
	readonly exchangeName: string;
	readonly demo: boolean;
	readonly now: number;
	readonly columns: number;
	readonly rows: 1 | 2;
	readonly ascii: boolean;
	/** No keyboard: no key hints. */
	readonly keyboard: boolean;
	/** Said after the state of the feed. */
	readonly more?: string | undefined;
};

type Health = {readonly text: string; readonly tone: Span['tone']};

function health(state: StatusInput['state']): Health {
	const resources = [state.depth, state.tape, state.tickers, state.candles, state.markets];
	const failing = resources.filter(resource => resource.status === 'failed' || isStale(resource)).length;
	const answered = resources.filter(resource => resource.status === 'ready' && !resource.failure).length;
	if (state.paused) return {text: 'PAUSED', tone: 'warn'};
	if (failing > 0 && answered === 0) return {text: 'no answer', tone: 'error'};
	if (failing > 0) return {text: 'partly failing', tone: 'warn'};
	if (answered === 0) return {text: 'waiting', tone: 'muted'};
	return {text: 'live', tone: 'up'};
}

const budgetText = ({used, allowed, waitMs}: Budget): string => {
	const wait = waitMs > 0 ? `, waits ${formatAge(waitMs)}` : '';
	return `${used.toFixed(0)} of ${allowed.toFixed(1)} req/s${wait}`;
};

/** Keys with one word each, as many as fit; `q quit` and `? help` are the last to go. */
function hints(columns: number, ascii: boolean): Line {
	const all = keymap
		.filter(binding => binding.hint)
		.map(({keys, shown, hint}) => ({keys: shown ?? keys[0] ?? '', hint: hint ?? ''}))
		.map(({keys, hint}) => ({
			keys: ascii ? keys.replace('↑ ↓ ', '').replace('← →', '<- ->') : (keys.split(' j ')[0] ?? keys),
			hint,
		}));
	const width = (list: typeof all) =>
		list.reduce((sum, {keys, hint}) => sum + lineWidth([{text: keys}]) + hint.length + 3, 0);
	while (all.length > 0 && width(all) > columns) all.splice(-Math.min(3, all.length), 1);
	return all.flatMap(
		({keys, hint}): Line => [{text: ' '}, {text: keys, tone: 'accent'}, {text: ` ${hint} `, tone: 'muted'}],
	);
}

/** State of the feed, budget, exchange and the time; below them, or beside them in one row, the keys. */
export function statusLines(input: StatusInput): readonly Line[] {
	const {state, exchangeName, demo, now, columns, rows, ascii, keyboard, more} = input;
	const dot = ascii ? ' - ' : ' · ';
	const feed = health(state);
	const left: Span[] = [{text: ` ${feed.text}`, tone: feed.tone}];
	if (demo) left.push({text: dot, tone: 'muted'}, {text: 'DEMO', tone: 'warn'});
	if (state.choice !== 'auto')
		left.push({text: dot, tone: 'muted'}, {text: `only ${interfaceName(state.choice)}`, tone: 'warn'});
	if (more) left.push({text: dot, tone: 'muted'}, {text: more, tone: 'warn'});
	const right: Line = [{text: `UTC ${formatClock(now)} `, tone: 'muted'}];
	const between = (line: Line): Line => {
		const blank = Math.max(columns - lineWidth(line) - lineWidth(right), 1);
		return fitLine([...line, {text: ' '.repeat(blank)}, ...right], columns);
	};

	if (rows === 1) {
		const room = columns - lineWidth(left) - lineWidth(right) - 2;
		return [between(keyboard ? [...left, ...hints(room - 1, ascii)] : left)];
	}

	for (const detail of [budgetText(state.budget), exchangeName]) left.push({text: `${dot}${detail}`, tone: 'muted'});
	return keyboard ? [between(left), fitLine(hints(columns, ascii), columns)] : [between(left)];
}
