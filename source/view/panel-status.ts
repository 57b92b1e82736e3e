import {formatAge, formatClock} from '../format/time.ts';
import {interfaceName} from '../market/types.ts';
import {clockSkew, clockWords} from '../store/clock-skew.ts';
import type {Failure, Resource} from '../store/resource.ts';
import type {Line, Size, Tone} from './line.ts';
import {lineWidth} from './line.ts';
import {wrapped} from './wrap.ts';

/** Data that a failing refresh has left behind: drawn dimmed. */
export const isStale = (resource: Resource<unknown>): boolean =>
	resource.status === 'ready' && resource.failure !== undefined;

/** Why what is shown of the book among other things is not of now; empty where it is. */
export function bookNote(depth: Resource<unknown>): Line {
	if (depth.status === 'waiting' || !depth.failure) return [];
	const isOld = depth.status === 'ready';
	const text = isOld ? `stale since ${formatClock(depth.receivedAt)}` : `no book: ${depth.failure.error.words.brief}`;
	return [{text, tone: 'warn'}];
}

function nextTry({retryAt}: Failure, now: number): string {
	if (retryAt === undefined) return '';
	return retryAt > now ? `, next try ${formatAge(retryAt - now)}` : ', trying again';
}

/** What failed, and when it is tried again: from long to short. */
function failureTexts(failure: Failure, now: number): readonly string[] {
	const {kind, words} = failure.error;
	if (kind === 'waits') return waitTexts(failure, now);
	return [`${words.text}${nextTry(failure, now)}`, `${words.brief}${nextTry(failure, now)}`, words.brief];
}

/** Of a request that may not be sent yet. */
function waitTexts({retryAt = 0}: Failure, now: number): readonly [string, string, string] {
	const wait = retryAt > now ? `waits ${formatAge(retryAt - now)}` : 'waits for its turn';
	return [retryAt > now ? `${wait}: exchange asks to` : wait, wait, 'waits'];
}

/** Interface and age of what a panel shows, or why it is stale: from long to short. */
export function panelStatuses(resource: Resource<unknown>, now: number, ascii: boolean): readonly Line[] {
	const dot = ascii ? ' - ' : ' · ';
	if (resource.status === 'waiting') {
		const {held} = resource;
		return held ? waitTexts(held, now).map(text => [{text, tone: 'warn'}]) : [[{text: 'waiting', tone: 'muted'}]];
	}

	if (resource.status === 'failed') return [[{text: 'no data', tone: 'error'}]];
	const {failure, receivedAt} = resource;
	if (failure) {
		const since = formatClock(receivedAt);
		return [
			...failureTexts(failure, now).map(text => `stale since ${since}${dot}${text}`),
			// A long wait is worth more than since when.
			...(failure.error.kind === 'waits' ? [`stale${dot}${waitTexts(failure, now)[1]}`] : []),
			`stale since ${since}`,
			`stale ${since}`,
			'stale',
		].map(text => [{text, tone: 'warn'}]);
	}

	const source = interfaceName(resource.interface);
	const age = formatAge(now - receivedAt);
	const usual: readonly Line[] = [`${source}${dot}${age}`, age].map(text => [{text, tone: 'muted'}]);
	const skewMs = clockSkew([resource]);
	if (skewMs === undefined) return usual;
	const {brief} = clockWords(skewMs);
	return [
		[
			{text: `${source}${dot}${age}${dot}`, tone: 'muted'},
			{text: brief, tone: 'warn'},
		],
		...usual,
	];
}

/** How many entries of what a panel shows were refused, and how many were too many; empty where none were. */
export function droppedNote(resources: ReadonlyArray<Resource<unknown>>): Line {
	const total = (countOf: (resource: Extract<Resource<unknown>, {status: 'ready'}>) => number) =>
		resources.reduce((sum, each) => sum + (each.status === 'ready' ? countOf(each) : 0), 0);
	const counts = [[total(({dropped}) => dropped), 'dropped'] as const, [total(({cut = 0}) => cut), 'cut'] as const];
	const said = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
	return said.length === 0 ? [] : [{text: said.join(', '), tone: 'warn'}];
}

const centred = (line: Line, columns: number): Line => {
	const left = Math.max(Math.floor((columns - lineWidth(line)) / 2), 0);
	return [{text: ' '.repeat(left)}, ...line];
};

function tries({retryAt, error}: Failure, now: number): string {
	// What the exchange does not offer is not tried again.
	if (error.kind === 'unavailable') return '';
	if (retryAt === undefined) return 'r tries now';
	return retryAt > now ? `next try in ${formatAge(retryAt - now)}, r tries now` : 'trying again';
}

/** A panel that has nothing to show: what failed, what the user can do where there is room, and when it is tried again. */
export function failureBody(failure: Failure, now: number, size: Size): readonly Line[] {
	const rowsOf = (text: string, tone: Tone): readonly Line[] =>
		text === '' ? [] : wrapped(text, size.columns).map(row => [{text: row, tone}]);
	const {text, brief, advice} = failure.error.words;
	const what = [text, brief].map(words => rowsOf(words, 'error')).find(rows => rows.length <= size.rows / 2) ?? [];
	const again = rowsOf(tries(failure, now), 'muted');
	const help = rowsOf(advice, 'muted');
	const fits = what.length + help.length + again.length <= size.rows;
	const rows = [...(what.length > 0 ? what : rowsOf(brief, 'error')), ...(fits ? help : []), ...again];
	const top = Math.max(Math.floor((size.rows - rows.length) / 2), 0);
	return [...Array.from({length: top}, () => []), ...rows.map(line => centred(line, size.columns))];
}
