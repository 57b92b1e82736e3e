import {judgedOnText, lateText, type RuleState, ruleText, stateOf, stateText} from '../../../alerts/alert-texts.ts';
import type {AlertsState} from '../../../alerts/alerts.ts';
import {levelsFor} from '../../../alerts/levels.ts';
import type {Rule} from '../../../alerts/rule.ts';
import {padEnd, textWidth} from '../../../format/cells.ts';
import {stripControl} from '../../../format/control.ts';
import {formatZonedClock} from '../../../format/time.ts';
import {bodySize, frameRows} from '../../frame.ts';
import {table} from '../../kit/table.ts';
import {rowAt} from '../../layout.ts';
import type {Line, Tone} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {distancePercent} from '../../price-texts.ts';
import type {OverlayView} from '../../resource-panel.ts';
import {notedIn, packed, wrapped} from '../../wrap.ts';
import {type AlertRow, alertRows, noMarketText} from './list.ts';

export type AlertsPanelInput = OverlayView & {
	readonly alerts: AlertsState;
	/** Key of the row under the cursor; absent: the first. */
	readonly cursor?: string | undefined;
	/** The last price of a market; undefined: not known. */
	readonly lastOf: (symbol: string) => number | undefined;
	/** Why a rule can never be judged here; undefined: it can. Default: each can. */
	readonly neverJudged?: ((rule: Rule) => string | undefined) | undefined;
	/** Epoch ms. */
	readonly now: number;
};

const stateMarks: Readonly<Record<RuleState, string>> = {armed: '!', fired: '*', blind: '?', off: '-', ended: '.'};
const stateTones: Readonly<Record<RuleState, Tone>> = {
	...{armed: 'plain', fired: 'strong', blind: 'warn', off: 'muted', ended: 'muted'},
};
const originNames = {user: '', config: 'config', flag: 'flag'} as const;

/** The framed list of alerts: the page of it with the row under the cursor. Exactly `size`. */
export function alertsPanel(input: AlertsPanelInput): readonly Line[] {
	const {alerts, cursor, keyHint, size, ascii, zone} = input;
	const inner = bodySize(size);
	const rows = alertRows(alerts);
	const chosen = rowAt(rows, cursor, ({key}) => key);
	const notes = notesOf(alerts, {keyHint, zone}, inner.columns);
	const lines = tableOf(rows, input);
	const isTable = lines.every(text => textWidth(text) < inner.columns);
	const heading: readonly Line[] = isTable && rows.length > 0 ? [[{text: ` ${lines[0]}`, tone: 'muted'}]] : [];
	const items = rows.map((row, index): readonly Line[] => {
		const texts = isTable ? [` ${lines[index + 1]}`] : stackedTexts(row, input, inner.columns);
		const tone = toneOf(row);
		if (row !== chosen) return texts.map((text, line) => [{text, tone: line > 0 && tone === 'plain' ? 'muted' : tone}]);
		return texts.map(text => [{text: padEnd(text, inner.columns), tone: 'strong', inverse: true}]);
	});
	const page = pageWith(chosen ? rows.indexOf(chosen) : 0, items, inner.rows - notes.length - heading.length);
	const shown = items.slice(page.first, page.end);
	const rowsShown = {total: items.length, shown: shown.length, scroll: page.first};
	const titles = [...(rows.length > 0 ? [`Alerts ${rows.length}`] : []), 'Alerts'];
	const body = [...notes, ...heading, ...shown.flat()];
	return frameRows({command: 'alert', titles, keyHint, ascii, size}, rowsShown, body);
}

/** That there are no alerts, and why the last call failed. */
function notesOf(
	{entries, callFailure}: AlertsState,
	{keyHint, zone}: Pick<AlertsPanelInput, 'keyHint' | 'zone'>,
	columns: number,
): readonly Line[] {
	const empty = ['no alerts yet', keyHint('adds one, such as last crosses 70000', 'alert-add')]
		.filter(Boolean)
		.join('; ');
	const failed =
		callFailure && `the alert at ${formatZonedClock(callFailure.time, zone)} failed: ${stripControl(callFailure.text)}`;
	return [
		...(failed === undefined ? [] : notedIn(failed, 'warn', columns)),
		...(entries.length > 0 ? [] : notedIn(empty, 'muted', columns)),
	];
}

const titles = ['market', 'rule', 'state', 'judged on', 'distance', ''] as const;

/** The rows as a table, below the names of its columns. */
function tableOf(rows: readonly AlertRow[], input: AlertsPanelInput): readonly string[] {
	const cells = rows.map(row => {
		const {mark, market, rule, state, judged, distance, origin} = textsOf(row, input);
		return [`${mark} ${market}`, rule, state, judged, distance, origin];
	});
	const used = titles.map((_, column) => cells.some(texts => texts[column] !== ''));
	const columns = titles.map(title => ({
		titles: [title === 'market' ? `  ${title}` : title],
		alignment: title === 'distance' ? ('right' as const) : undefined,
	}));
	const shown = <T>(parts: readonly T[]) => parts.filter((_, column) => used[column]);
	return table(shown(columns), cells.map(shown)).lines;
}

/** The rule, and below it what is known of it, each in as many rows as it needs. */
function stackedTexts(row: AlertRow, input: AlertsPanelInput, columns: number): readonly string[] {
	const {mark, market, rule, state, judged, distance, origin} = textsOf(row, input);
	const room = Math.max(columns - 4, 1);
	const away = distance && `${distance} away`;
	const status = [state, away].filter(Boolean).join(', ');
	const below = packed([status, judged, origin].filter(Boolean), ` ${marksFor(input.ascii).separator} `, room);
	const [first = '', ...rest] = wrapped(`${market} ${rule}`.trimStart(), room);
	return [` ${mark} ${first}`, ...[...rest, ...below].map(text => `   ${text}`)];
}

function textsOf({entry, market}: AlertRow, {lastOf, neverJudged, now, ascii, zone}: AlertsPanelInput) {
	const {rule, origin} = entry;
	const of = {rule: ruleText(rule, zone), origin: originNames[origin]};
	if (!market) {
		const [mark, state] = entry.isOff ? [stateMarks.off, 'off'] : [stateMarks.ended, noMarketText(rule.scope)];
		return {...of, mark, market: '', state, judged: '', distance: ''};
	}

	const state = stateOf(entry, market);
	const isJudged = state === 'armed' || state === 'blind';
	const never = isJudged ? neverJudged?.(rule) : undefined;
	return {
		...of,
		mark: stateMarks[never === undefined ? state : 'blind'],
		market: stripControl(market.symbol),
		state: never ?? stateText(entry, market, {now, ascii, zone}),
		judged: isJudged ? [judgedOnText(market, now), lateText(market.pollMs)].filter(Boolean).join(', ') : '',
		distance: isJudged ? distanceText(levelsFor(entry, market.symbol), lastOf(market.symbol), ascii) : '',
	};
}

/** How far the nearest level is from the last price. */
function distanceText(levels: readonly number[], last: number | undefined, ascii: boolean): string {
	if (last === undefined || levels.length === 0) return '';
	const nearest = levels.reduce((a, b) => (Math.abs(b - last) < Math.abs(a - last) ? b : a));
	return distancePercent(nearest, last, ascii);
}

const toneOf = ({entry, market}: AlertRow): Tone => (market ? stateTones[stateOf(entry, market)] : 'muted');

/** The items of the page with the item at `index`: pages follow each other, each as long as `rows` have room for, the last too. */
function pageWith(index: number, items: ReadonlyArray<readonly Line[]>, rows: number) {
	let first = 0;
	let used = 0;
	for (const [place, item] of items.entries()) {
		if (used > 0 && used + item.length > rows) {
			if (place > index) return {first, end: place};
			[first, used] = [place, 0];
		}

		used += item.length;
	}

	for (;;) {
		const before = items[first - 1];
		if (!before || used + before.length > rows) return {first, end: items.length};
		first -= 1;
		used += before.length;
	}
}
