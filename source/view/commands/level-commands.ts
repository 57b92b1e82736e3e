import {ruleText} from '../../alerts/alert-texts.ts';
import {linesNamedIn} from '../../alerts/condition.ts';
import {isArmed} from '../../alerts/levels.ts';
import {formatPlain} from '../../format/number.ts';
import {symbolKey} from '../../market/symbol.ts';
import {splitNumber, typedNumber} from '../../market/typed-number.ts';
import {tradeTime} from '../../store/trade-time.ts';
import {
	cleanNote,
	type DrawnLevel,
	type DrawnLevels,
	drawnLevelsOf,
	mostDrawnLevels,
	mostNote,
	typedLevel,
	withLevel,
	withoutLevel,
} from '../drawn-levels.ts';
import {drawnLinesOf, linesNumbered, withoutLine} from '../drawn-lines.ts';
import {cursorPrice, movedCross} from '../panels/chart/chart-view.ts';
import {type LevelRow, levelKey, levelRows} from '../panels/levels/rows.ts';
import {changed, focusedOn} from '../ui-state.ts';
import {chartHidden, scaleOnScreen, showCandle, viewOnScreen} from './chart-commands.ts';
import {type Command, type Control, noted, openLine} from './command.ts';
import {listOverlay} from './list-overlay.ts';

const levelText = 'a price, optionally a note in quotes: 61500 "support"';

const levelsOf = ({store, ui}: Control): readonly DrawnLevel[] =>
	drawnLevelsOf(ui.getSnapshot().drawnLevels, store.getSnapshot().symbol);

/** Levels and lines. */
export const levelList = listOverlay<LevelRow>({
	overlay: 'levels',
	thing: 'level',
	rowsOf(control) {
		const {symbol, trades: tape, decimals} = control.store.getSnapshot();
		const lines = drawnLinesOf(control.ui.getSnapshot().drawnLines, symbol);
		const now = tradeTime(tape, control.now);
		return levelRows({levels: levelsOf(control), lines, decimals: decimals.price, now});
	},
	keyOf: levelKey,
	textOf: ({price}) => (price === undefined ? '' : formatPlain(price)),
	empty: 'there are no levels or lines in this market yet',
});

/** Draw levels in the chart. */
export const levelCommands: readonly Command[] = [
	{
		name: 'level',
		keys: ['enter'],
		focused: true,
		help: 'draw or delete a level at the crosshair',
		hintNow: ({chart}) => (chart.cross === undefined ? undefined : {word: 'level', rank: 13}),
		unavailable: (state, situation) =>
			chartHidden(state, situation) ??
			(state.chart.cross === undefined
				? 'no crosshair to draw a level at; level 61500 draws one at a price'
				: undefined),
		run: toggleLevel,
		argument: {
			help: 'draw a level at a price',
			takes: levelText,
			complete: (text, {price}) => (text === '' && price !== undefined ? [`${formatPlain(price)} "`] : []),
			run: addTyped,
		},
	},
	{name: 'levels', keys: [], help: 'list the levels and lines of the market', run: levelList.open},
];

/** Those that act in the list of levels. */
export const levelListCommands: readonly Command[] = [
	{
		name: 'level-show',
		keys: ['enter'],
		help: 'show the level or line under the cursor in the chart',
		hint: {word: 'show', rank: 6},
		run: levelList.onRow(showLevel),
	},
	levelList.adding('add a level', 7),
	{
		name: 'level-edit',
		keys: ['e'],
		help: 'edit the note of the level under the cursor',
		hint: {word: 'edit note', rank: 8},
		run: levelList.onRow((row, control) => {
			if (row.line) noted('a line has no note', control);
			else openLine(`level ${editedLevel(row)}`, control);
		}),
	},
	levelList.deletion({
		whyNot: ({line}, control) => line && namedBy(line.number, control),
		remove(row, {store, ui}) {
			const {symbol = ''} = store.getSnapshot();
			const {line} = row;
			if (line) {
				ui.update(state => ({...state, drawnLines: withoutLine(state.drawnLines, symbol, line)}));
				return `line ${line.number} deleted`;
			}

			ui.update(state => ({...state, drawnLevels: withoutLevel(state.drawnLevels, symbol, row.price)}));
			return `${nameOf(row)} deleted`;
		},
	}),
];

/** Why a line is not deleted: an alert that is armed names it, and would never be met. Undefined: none does, or another line has its number. */
function namedBy(number: number, {store, ui, alerts}: Control): string | undefined {
	const key = symbolKey(store.getSnapshot().symbol ?? '');
	if (linesNumbered(ui.getSnapshot().drawnLines)(key, number).length > 1) return undefined;
	const naming = alerts.getSnapshot().entries.find(entry => {
		const {rule, markets} = entry;
		const armed = markets.filter(market => isArmed(entry, market)).map(({symbol}) => symbolKey(symbol));
		return linesNamedIn(rule.condition).some(
			({line, market}) => line === number && armed.some(own => (market ?? own) === key),
		);
	});
	return naming && `line ${number} is in an alert, ${ruleText(naming.rule)}: delete that first`;
}

const noMarket = 'the market list is still loading';
const tooMany = `a market has at most ${mostDrawnLevels} levels; levels lists them`;

const put = (drawnLevels: DrawnLevels, notice: string, {ui}: Control): void =>
	ui.update(state => ({...state, drawnLevels, notice}));

/** `level 61500 "support"`. */
const nameOf = (level: DrawnLevel): string => `level ${typedLevel(level)}`;

/** The quote stays open, so that what is typed next belongs to the note, unless that would lose a quote at its end. */
const editedLevel = ({price, note = ''}: DrawnLevel): string =>
	note.endsWith('"') ? typedLevel({price, note}) : `${formatPlain(price)} "${note}`;

/**
 * Draws a level at the crosshair. On a level it deletes that one; in the row of one it only moves the crosshair to it, so that no
 * two look like one and none is deleted by mistake.
 */
function toggleLevel(control: Control): void {
	const {store, ui} = control;
	const {symbol, candles} = store.getSnapshot();
	const {chart, drawnLevels} = ui.getSnapshot();
	const price = candles.status === 'ready' ? cursorPrice(candles.data, chart) : undefined;
	if (symbol === undefined || price === undefined || price <= 0) return;
	const levels = levelsOf(control);
	const same = levels.find(level => level.price === price);
	if (same) return put(withoutLevel(drawnLevels, symbol, price), `${nameOf(same)} deleted`, control);
	const scale = scaleOnScreen(control);
	const near = levels.find(level => scale?.rowOf(level.price) === scale?.rowOf(price) && scale?.contains(level.price));
	if (near) {
		ui.update(changed('chart', {crossPrice: near.price}));
		return noted(`at the ${nameOf(near)}; again deletes it`, control);
	}

	if (levels.length >= mostDrawnLevels) return noted(tooMany, control);
	put(withLevel(drawnLevels, symbol, {price}), `${nameOf({price})} drawn`, control);
}

/** Reads `61500`, `61500 support` and `61500 "support"`; an empty note, `""`, removes the one that is there. */
function addTyped(text: string, control: Control): string | undefined {
	const {store, ui} = control;
	const {symbol} = store.getSnapshot();
	if (symbol === undefined) return noMarket;
	const [digits, rest] = splitNumber(text);
	const number = typedNumber(digits === '' ? text : digits);
	if ('fault' in number) return `${number.fault}; level takes ${levelText}`;
	if (number.value <= 0) return 'a level is at a price above 0';
	if (/^\w/.test(rest) && !/\s/.test(text.charAt(text.indexOf(digits) + digits.length))) {
		return `${text} is not a price; level takes ${levelText}`;
	}

	const note = cleanNote(/^"(.*?)"?$/s.exec(rest)?.[1] ?? rest);
	if (note !== undefined && note.length > mostNote)
		return `a note has at most ${mostNote} characters, this one ${note.length}`;
	const levels = levelsOf(control);
	const same = levels.find(({price}) => price === number.value);
	if (same && rest === '') return `there is a level at ${formatPlain(number.value)} already`;
	if (!same && levels.length >= mostDrawnLevels) return tooMany;
	const level = {price: number.value, ...(note !== undefined && {note})};
	put(
		withLevel(ui.getSnapshot().drawnLevels, symbol, level),
		`${nameOf(level)} ${same ? 'changed' : 'drawn'}`,
		control,
	);
	ui.update(levelList.at(level));
	return undefined;
}

/** Puts the crosshair of the chart on the level, or the second end of the line, under the cursor, and closes the list. */
function showLevel(level: LevelRow, control: Control): void {
	if (level.line) {
		const {time, price} = level.line.to;
		showCandle(time, control);
		return control.ui.update(changed('chart', {crossPrice: price}));
	}

	const view = viewOnScreen(control);
	control.ui.update(state => {
		const shown = {...focusedOn('chart')(state), overlay: undefined};
		return view ? changed('chart', {...movedCross(view, 0), crossPrice: level.price})(shown) : shown;
	});
}
