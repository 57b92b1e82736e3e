import type {Size} from '../format/cells.ts';
import {formatExact} from '../format/number.ts';
import {formatAge, formatZonedClock} from '../format/time.ts';
import type {Zone} from '../format/zone.ts';
import {type Failure, type Resource, retryAfterText} from '../store/resource.ts';
import {bodySize, framePanel} from './frame.ts';
import {type KeyHint, noKeyHint} from './keys.ts';
import {type Drawing, fitLines, type Line, lineWidth, type Tone} from './line.ts';
import {marksFor} from './marks.ts';
import {wrapped} from './wrap.ts';

/** Size and focus, which every panel gets. Numbers and booleans only, so that a memo can compare them. */
export type PanelProps = {
	readonly columns: number;
	readonly rows: number;
	readonly focused: boolean;
};

/** What an overlay is drawn with, except the time. */
export type OverlayView = Drawing & {readonly keyHint: KeyHint};

/** What every panel is drawn with, except the time. */
export type PanelView = Omit<OverlayView, 'keyHint'> & {
	/** Absent: no keyboard. */
	readonly keyHint?: KeyHint | undefined;
	readonly focused: boolean;
};

export type ResourcePanel<T> = PanelView & {
	/** Epoch ms by our clock. */
	readonly now: number;
	readonly resource: Resource<T>;
	/** The resource whose interface and age the border names. Default: `resource`. */
	readonly dated?: Resource<unknown> | undefined;
	/** What is shown along with it; see `panelStatuses`. */
	readonly others?: ReadonlyArray<Resource<unknown>> | undefined;
	/** The command that focuses or opens the panel. Its key is shown in the border. */
	readonly command: string;
	/** From long to short. */
	readonly titles: readonly string[];
	/** Notes for the bottom border, from long to short. */
	readonly footers?: readonly string[] | undefined;
	/** Default `muted`. */
	readonly footerTone?: Tone | undefined;
	body(data: T, size: Size): readonly Line[];
	/** The shape of the body while its data is still loading. */
	skeleton(size: Size, ascii: boolean): readonly Line[];
};

/** A framed panel that is never empty: its data, a skeleton while that is loading, or what failed. Exactly `size`. */
export function resourcePanel<T>(panel: ResourcePanel<T>): readonly Line[] {
	const {resource, dated = resource, footers = [], footerTone = 'muted', keyHint = noKeyHint, size, now, ascii} = panel;
	const inner = bodySize(size);
	const body = (): readonly Line[] => {
		if (resource.status === 'ready') return panel.body(resource.data, inner);
		if (resource.status === 'failed') return failureBody(resource.failure, now, inner, keyHint);
		return panel.skeleton(inner, ascii);
	};
	const dropped = droppedNote([...new Set([resource, dated])]);
	const separator: Line = [{text: ` ${marksFor(ascii).separator} `, tone: 'muted'}];
	const withDropped = (text: string): Line => {
		const note: Line = [{text, tone: footerTone}];
		return dropped.length > 0 ? [...note, ...separator, ...dropped] : note;
	};
	const frame = {
		...panel,
		key: keyHint('', panel.command),
		statuses: panelStatuses(dated, now, ascii, panel.zone, panel.others),
		footers: [...footers.filter(Boolean).map(withDropped), dropped],
	};
	return framePanel(frame, body());
}

/** When the data was received, if it is not current, as while paused; else undefined. */
export const outdatedAt = (resource: Resource<unknown>, now: number): number | undefined =>
	resource.status === 'ready' && (resource.failure !== undefined || now - resource.receivedAt >= leastOutdatedMs)
		? resource.receivedAt
		: undefined;

/** Younger data counts as current. */
const leastOutdatedMs = 10_000;

/** Whether the data is stale because refreshes fail; it is then drawn dimmed. */
export const isStale = (resource: Resource<unknown>): boolean =>
	resource.status === 'ready' && resource.failure !== undefined;

/** Why the book's data inside another panel is not current; empty if it is. */
export function bookNote(depth: Resource<unknown>, zone?: Zone): Line {
	if (depth.status === 'waiting' || !depth.failure) return [];
	const text =
		depth.status === 'ready'
			? `stale since ${formatZonedClock(depth.receivedAt, zone)}`
			: `no book: ${depth.failure.error.brief}`;
	return [{text, tone: 'warn'}];
}

/** When a failed request is sent again: `retry in 4.0 s` or `retrying`; empty if only the user can retry. */
export function retryText({retryAt}: Failure, now: number): string {
	if (retryAt === undefined) return '';
	return retryAt > now ? `retry in ${formatAge(retryAt - now)}` : 'retrying';
}

/** What failed and when it will be retried, from long to short. */
function failureTexts(failure: Failure, now: number): readonly string[] {
	const {kind, words} = failure.error;
	if (kind === 'held') return waitTexts(failure, now);
	const retry = [retryText(failure, now)].filter(Boolean);
	const [long, middle] = [words.text, words.brief].map(what => [what, ...retry].join(', '));
	const retryAfter = retryAfterText(failure);
	return [...(retryAfter ? [long + retryAfter, middle + retryAfter] : []), long ?? '', middle ?? '', words.brief];
}

/** Why a request is not sent yet, from long to short. */
function waitTexts(failure: Failure, now: number): readonly string[] {
	const limited = 'rate-limited';
	if ((failure.retryAt ?? 0) <= now) return [`${limited}, queued`, limited, limited];
	const retry = retryText(failure, now);
	const retryAfter = retryAfterText(failure);
	return [...(retryAfter ? [`${limited}, ${retry}${retryAfter}`] : []), `${limited}, ${retry}`, retry, limited];
}

/**
 * Interface and age of what a panel shows, or why it is stale: from long to short. `others` are shown along with it: the interfaces
 * of all are named, and the age is the oldest one.
 */
export function panelStatuses(
	resource: Resource<unknown>,
	now: number,
	ascii: boolean,
	zone?: Zone,
	others: ReadonlyArray<Resource<unknown>> = [],
): readonly Line[] {
	const dot = ` ${marksFor(ascii).separator} `;
	if (resource.status === 'waiting') {
		const {held} = resource;
		return held ? waitTexts(held, now).map(text => [{text, tone: 'warn'}]) : [[{text: 'waiting', tone: 'muted'}]];
	}

	if (resource.status === 'failed') return [[{text: 'no data', tone: 'error'}]];
	const {failure, receivedAt} = resource;
	if (failure) {
		const since = formatZonedClock(receivedAt, zone);
		return [
			...failureTexts(failure, now).map(text => `stale since ${since}${dot}${text}`),
			// The time of a long wait matters more than the time of the data.
			...(failure.error.kind === 'held' ? [`stale${dot}${waitTexts(failure, now).at(-2)}`] : []),
			`stale since ${since}`,
			`stale ${since}`,
			'stale',
		].map(text => [{text, tone: 'warn'}]);
	}

	const shown = [resource, ...others.filter(other => other.status === 'ready')];
	const source = [...new Set(shown.map(each => each.interface))].join('+');
	const age = formatAge(now - Math.min(...shown.map(each => each.receivedAt)));
	return [`${source}${dot}${age}`, age].map(text => [{text, tone: 'muted'}]);
}

/** How many entries of a panel's data were dropped, rounded, cut off at a limit, or are doubtful; empty if none. */
export function droppedNote(resources: ReadonlyArray<Resource<unknown>>): Line {
	const answers = resources.flatMap(resource => (resource.status === 'ready' ? resource : []));
	const counts = (['dropped', 'rounded', 'cut', 'misdated', 'offPeriod'] as const).flatMap(name => {
		const count = answers.reduce((sum, answer) => sum + (answer[name] ?? 0), 0);
		return count > 0 ? [`${formatExact(count)} ${name === 'offPeriod' ? 'off period' : name}`] : [];
	});
	return counts.length === 0 ? [] : [{text: counts.join(', '), tone: 'warn'}];
}

function retryHint(failure: Failure, now: number, keyHint: KeyHint): string {
	// A retry does not help if the exchange does not offer the data.
	if (failure.error.kind === 'unavailable' && failure.retryAt === undefined) return '';
	const retry = retryText(failure, now) + retryAfterText(failure);
	return retry === 'retrying' ? retry : [retry, keyHint('retries now', 'refresh')].filter(Boolean).join(', ');
}

/** The body of a panel without data: what failed, what the user can do (if there is room), and when it will be retried. */
export function failureBody(failure: Failure, now: number, size: Size, keyHint: KeyHint): readonly Line[] {
	const rowsOf = (text: string, tone: Tone): readonly Line[] =>
		text === '' ? [] : wrapped(text, size.columns).map(row => [{text: row, tone}]);
	const {text, brief, advice} = failure.error.words;
	const long = rowsOf(text, 'error');
	const what = long.length <= size.rows / 2 ? long : rowsOf(brief, 'error');
	const retry = rowsOf(retryHint(failure, now, keyHint), 'muted');
	const help = rowsOf(advice, 'muted');
	const fits = what.length + help.length + retry.length <= size.rows;
	const rows = [...what, ...(fits ? help : []), ...retry];
	const top = Math.max(Math.floor((size.rows - rows.length) / 2), 0);
	return [...Array.from({length: top}, () => []), ...rows.map(line => centred(line, size.columns))];
}

const centred = (line: Line, columns: number): Line => {
	const left = Math.max(Math.floor((columns - lineWidth(line)) / 2), 0);
	return [{text: ' '.repeat(left)}, ...line];
};

/** `title`: the panel's own. `key`: the one that focuses it; empty: there is none. */
type FailedPanel = Pick<PanelView, 'focused' | 'size' | 'ascii'> & {
	readonly title: string;
	readonly key: string;
	readonly error: unknown;
};

/** Text of a thrown value; with its stack for the log. */
export const thrownText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const thrownStack = (error: unknown): string =>
	error instanceof Error ? (error.stack ?? error.message) : String(error);

/** The line for the log about a panel that could not be drawn. */
export const failedPanelWarning = (title: string, error: unknown): string =>
	`${title} panel could not be drawn: ${thrownStack(error)}`;

/** From this height on, a frame has room for a row. */
const leastFramed = 3;

/** What a panel shows that could not be drawn, in its own frame. Exactly `size`. */
export function failedPanel({title, key, error, focused, size, ascii}: FailedPanel): readonly Line[] {
	const what = `defect of Tapewatch: ${thrownText(error)}`;
	if (size.rows < leastFramed) return fitLines([[{text: ` ${title}: ${what}`, tone: 'error'}]], size);
	const report = `Please report it, with the line "${title} panel could not be drawn" of the log (--log-file). The panel is drawn again when its data changes.`;
	const inner = Math.max(size.columns - 4, 1);
	const rowsOf = (text: string, tone: 'error' | 'muted'): readonly Line[] =>
		wrapped(text, inner).map(row => [{text: ` ${row}`, tone}]);
	const titles = [`${title} ${marksFor(ascii).separator} not drawn`, title];
	const frame = {key, titles, statuses: [], focused, ascii, size};
	return framePanel(frame, [...rowsOf(what, 'error'), [], ...rowsOf(report, 'muted')]);
}
