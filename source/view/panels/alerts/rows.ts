import {judgedOnText, lateText, type RuleState, ruleText, stateOf, stateText} from '../../../alerts/alert-texts.ts';
import type {AlertsState} from '../../../alerts/alerts.ts';
import {levelsFor} from '../../../alerts/levels.ts';
import type {Rule} from '../../../alerts/rule.ts';
import {textWidth} from '../../../format/cells.ts';
import {stripControl} from '../../../format/control.ts';
import {formatZonedClock} from '../../../format/time.ts';
import {bodySize} from '../../frame.ts';
import {cursorList} from '../../kit/cursor-list.ts';
import {table} from '../../kit/table.ts';
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

/** The framed list of alerts, as a table where that fits, with why the last call failed. Exactly `size`. */
export function alertsPanel(input: AlertsPanelInput): readonly Line[] {
	const {alerts, keyHint, size, zone} = input;
	const {columns} = bodySize(size);
	const rows = alertRows(alerts);
	const [heading, ...lines] = tableOf(rows, input);
	const isTable = [heading, ...lines].every(text => textWidth(text ?? '') < columns);
	const {callFailure: failure} = alerts;
	const failed =
		failure && `the alert at ${formatZonedClock(failure.time, zone)} failed: ${stripControl(failure.text)}`;
	return cursorList({
		...input,
		command: 'alert',
		titles: [...(rows.length > 0 ? [`Alerts ${rows.length}`] : []), 'Alerts'],
		above: notedIn(failed ?? '', 'warn', columns),
		heading: isTable ? heading : undefined,
		rows: rows.map((row, index) => {
			const texts = isTable ? [` ${lines[index]}`] : stackedTexts(row, input, columns);
			const tone = toneOf(row);
			const toneAt = (line: number): Tone => (line > 0 && tone === 'plain' ? 'muted' : tone);
			return {key: row.key, lines: texts.map((text, line) => [{text, tone: toneAt(line)}])};
		}),
		empty: ['no alerts yet', keyHint('adds one, such as last crosses 70000', 'alert-add')].filter(Boolean).join('; '),
	});
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
