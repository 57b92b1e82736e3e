import type {Budget} from '../../../client/exchange.ts';
import {formatAge, formatClock} from '../../../format/time.ts';
import {interfaceName} from '../../../market/types.ts';
import {clockSkew, clockWords} from '../../../store/clock-skew.ts';
import type {Resource} from '../../../store/resource.ts';
import type {MarketState, ResourceName} from '../../../store/state.ts';
import {hintKeys, keyGroups} from '../../key-labels.ts';
import {type Binding, ownerOf} from '../../keymap.ts';
import type {PanelName} from '../../layout.ts';
import {fitLine, type Line, lineWidth, type Span} from '../../line.ts';

const liveNames = ['depth', 'tape', 'tickers', 'candles'] as const;

/** The parts of the market's state that the status line shows. */
export const statusParts = ['budget', 'choice', 'paused', 'markets', ...liveNames] as const;

export type StatusInput = {
	readonly state: Pick<MarketState, (typeof statusParts)[number]>;
	/** As the exchange or the configuration names it. */
	readonly exchangeName: string;
	readonly demo: boolean;
	readonly now: number;
	readonly columns: number;
	readonly rows: 1 | 2;
	readonly ascii: boolean;
	/** What polls; what is hidden says nothing about the feed. Absent: everything. */
	readonly visible?: ReadonlySet<ResourceName> | undefined;
	/** The keys to hint at; absent: no keyboard, no hints. */
	readonly bindings?: readonly Binding[] | undefined;
	/** The panel whose own keys are hinted at, beside those of everywhere. */
	readonly focus?: PanelName | undefined;
	/** Said after the state of the feed. */
	readonly more?: string | undefined;
	/** By a terminal that takes them too slowly. Default 0. */
	readonly droppedFrames?: number | undefined;
};

/** `why`: what the first failing poll failed with. */
type Health = {readonly text: string; readonly tone: Span['tone']; readonly why?: string | undefined};

/** What is polled often, as far as it is on screen. */
const liveResources = ({state, visible}: StatusInput): readonly Resource<unknown>[] =>
	liveNames.filter(name => visible?.has(name) ?? true).map(name => state[name]);

function health(input: StatusInput): Health {
	const {state} = input;
	const live = liveResources(input);
	// The market list is asked for so seldom that an old answer does not show that the exchange still answers.
	const failures = [...live, state.markets].flatMap(resource =>
		resource.status === 'waiting' ? (resource.held ?? []) : (resource.failure ?? []),
	);
	const why = failures[0]?.error.brief;
	const answered = live.filter(resource => resource.status === 'ready' && !resource.failure).length;
	if (state.paused) return {text: 'PAUSED', tone: 'warn'};
	const kinds = new Set(failures.map(({error}) => error.kind));
	if (kinds.size === 1 && kinds.has('standstill')) return {text: 'data may be old', tone: 'warn', why};
	if (kinds.has('waits') && answered === 0) return {text: 'waiting', tone: 'warn', why};
	if (why !== undefined && answered === 0) return {text: 'no answer', tone: 'error', why};
	if (why !== undefined) return {text: 'partly failing', tone: 'warn', why};
	if (answered === 0) return {text: 'waiting', tone: 'muted'};
	return {text: 'live', tone: 'up'};
}

/** A request that waits shorter than this is no news. */
const leastWaitMs = 1000;

const waitText = ({freeAt}: Budget, now: number): string =>
	freeAt === undefined || freeAt - now < leastWaitMs ? '' : `waits ${formatAge(freeAt - now)}`;

const budgetText = (budget: Budget, now: number): string => {
	const rate = `${budget.used.toFixed(1)} of ${budget.allowed.toFixed(1)} req/s`;
	return [rate, waitText(budget, now)].filter(Boolean).join(', ');
};

const asciiKeys: Readonly<Record<string, string>> = {'↑↓': 'j/k', '←→': '<-/->'};

/** How much longer the focused panel's own keys stay: but for the least of them longer than all others. */
const ownLead = 21;

/** `worth`: the least goes first. */
type Hint = {readonly keys: string; readonly word: string; readonly own: boolean; readonly worth: number};

/** Help and quit, which are of rank 0 and 1, stay whatever else goes. */
const worthOf = (rank: number, own: boolean): number => (rank <= 1 ? 100 - rank : (own ? ownLead : 0) - rank);

/** Keys of the focused panel, then those of everywhere, with one word each: as many as fit, none of them in part. */
function hints({bindings = [], focus, ascii}: StatusInput, columns: number): Line {
	const known = keyGroups(bindings).flatMap((group): readonly Hint[] => {
		const {first} = group;
		const keys = hintKeys(group);
		if (!first.hint || !keys) return [];
		const {rank, word, words} = first.hint;
		const owner = ownerOf(first);
		if (owner !== undefined && owner !== focus) return [];
		const ownWord = focus && words?.[focus];
		const own = owner !== undefined || ownWord !== undefined;
		return [{keys, word: ownWord ?? word, own, worth: worthOf(rank, own)}];
	});
	let shown = [...known.filter(({own}) => own), ...known.filter(({own}) => !own)];
	const line = (): Line =>
		shown.flatMap(({keys, word}) => [
			{text: ' '},
			{text: (ascii && asciiKeys[keys]) || keys, tone: 'accent'},
			{text: ` ${word} `, tone: 'muted'},
		]);
	while (shown.length > 0 && lineWidth(line()) > columns) {
		const least = Math.min(...shown.map(({worth}) => worth));
		const at = shown.findLastIndex(({worth}) => worth === least);
		shown = shown.filter((_, index) => index !== at);
	}

	return line();
}

/** State of the feed, budget, exchange and the time; below them, or beside them in one row, the keys. */
export function statusLines(input: StatusInput): readonly Line[] {
	const {state, exchangeName, demo, now, columns, rows, ascii, bindings, more, droppedFrames = 0} = input;
	const dot = ascii ? ' - ' : ' · ';
	const feed = health(input);
	const left: Span[] = [{text: ` ${feed.text}`, tone: feed.tone}];
	if (demo) left.push({text: dot, tone: 'muted'}, {text: 'DEMO', tone: 'warn'});
	if (state.choice !== 'auto')
		left.push({text: dot, tone: 'muted'}, {text: `only ${interfaceName(state.choice)}`, tone: 'warn'});
	if (more) left.push({text: dot, tone: 'muted'}, {text: more, tone: 'warn'});
	if (droppedFrames > 0) {
		left.push({text: dot, tone: 'muted'}, {text: `slow link: ${droppedFrames} frames dropped`, tone: 'warn'});
	}

	const right: Line = [{text: `UTC ${formatClock(now)} `, tone: 'muted'}];
	// In a small layout no other line may have room for the reason.
	const why: Span = {text: `: ${feed.why}`, tone: feed.tone};
	if (feed.why !== undefined && lineWidth([...left, why, ...right]) < columns) left.splice(1, 0, why);
	const skewMs = clockSkew(liveResources(input));
	if (skewMs !== undefined) {
		const {text, brief} = clockWords(skewMs);
		const said: Line = [{text: `${dot}${rows === 1 ? brief : text}`, tone: 'warn'}];
		if (lineWidth([...left, ...said, ...right]) < columns) left.push(...said);
	}

	const between = (line: Line): Line => {
		const blank = Math.max(columns - lineWidth(line) - lineWidth(right), 1);
		return fitLine([...line, {text: ' '.repeat(blank)}, ...right], columns);
	};

	if (rows === 1) {
		const wait = waitText(state.budget, now);
		const said: Line = [{text: `${dot}${wait}`, tone: 'warn'}];
		if (wait && lineWidth([...left, ...said, ...right]) < columns) left.push(...said);
		const room = columns - lineWidth(left) - lineWidth(right) - 2;
		const keys = hints(input, room - 1);
		return [between(keys.length > 0 ? [...left, {text: ' '}, ...keys] : left)];
	}

	for (const detail of [budgetText(state.budget, now), exchangeName])
		left.push({text: `${dot}${detail}`, tone: 'muted'});
	return bindings ? [between(left), fitLine(hints(input, columns), columns)] : [between(left)];
}
