import type {Place} from '../../format/cells.ts';
import {formatCount, formatPlain} from '../../format/number.ts';
import {formatFullTime} from '../../format/time.ts';
import {pairName} from '../../market/symbol.ts';
import {selectedMarket} from '../../store/state.ts';
import {hasCursor, shownPlaces} from '../layout.ts';
import {cursorOf, pickerListOf} from '../panels/markets/list.ts';
import {tapeList, topTrade} from '../panels/tape/list.ts';
import {viewOnScreen} from './chart-commands.ts';
import {type Command, type Control, noted} from './command.ts';
import {lists} from './lists.ts';
import {vocabularyOf} from './vocabulary.ts';

/** Put text on the clipboard of the terminal. */
export const copyCommands: readonly Command[] = [
	{
		name: 'copy',
		keys: ['y'],
		help: 'copy the item under the cursor: a market, candle, trade, alert, setting or price',
		run: control => copy(underCursor(control), control),
	},
	{
		name: 'copy-panel',
		keys: ['Y'],
		help: 'copy the focused panel as text',
		run: control =>
			control.readScreen?.(panelPlace(control), rows => {
				const {overlay, focus} = control.ui.getSnapshot();
				const inner = unframed(rows);
				const what = `${overlay ?? focus} panel, ${formatCount(inner.length, 'line')}`;
				copy(inner.length > 0 ? {text: inner.join('\n'), what} : undefined, control);
			}),
	},
];

/** `what`: the words for the status line. */
type Copied = {readonly text: string; readonly what: string};

function copy(copied: Copied | undefined, control: Control): void {
	if (!copied) return noted('nothing to copy here', control);
	// The terminal does not tell whether it took the text.
	const isSent = control.copy?.(copied.text) ?? false;
	noted(isSent ? `copied ${copied.what} (OSC 52)` : 'not copied: too long for the terminal', control);
}

const ofText = (text: string): Copied => ({text, what: text});
const ofPrice = (price: number | undefined): Copied | undefined =>
	price === undefined ? undefined : ofText(formatPlain(price));

function underCursor(control: Control): Copied | undefined {
	const {store, ui, layout} = control;
	const state = store.getSnapshot();
	const view = ui.getSnapshot();
	const {overlay, focus, chart, book} = view;
	if (overlay) {
		const text = hasCursor(overlay) ? lists[overlay].copied(control) : undefined;
		return text === undefined ? undefined : ofText(text);
	}

	if (focus === 'markets') {
		const list = pickerListOf(state, view.picker);
		const cursor = cursorOf(list, view.picker, selectedMarket(state)?.symbol);
		const entry = list.find(({market}) => market.symbol === cursor);
		return entry && ofText(pairName(entry.market));
	}

	if (focus === 'tape') return topTradeText(control);
	if (focus === 'chart' && chart.cross !== undefined && chart.crossPrice === undefined) return candleText(control);
	if (focus === 'book' && book.view === 'heatmap' && book.cursor) return ofPrice(book.cursor.price);
	return ofPrice(vocabularyOf(state, view, layout).price);
}

/** The candle under the crosshair: `2026-11-24 02:00:00 UTC O 1 H 2 L 0.5 C 1.5 V 30`. */
function candleText(control: Control): Copied | undefined {
	const view = viewOnScreen(control);
	const candle = view?.cross === undefined ? undefined : view.candles[view.cross];
	if (!candle) return undefined;
	const {time, open, high, low, close, volume} = candle;
	const values = Object.entries({O: open, H: high, L: low, C: close, V: volume});
	const when = formatFullTime(time, control.ui.getSnapshot().zone);
	return {
		text: [when, ...values.map(([name, value]) => `${name} ${formatPlain(value)}`)].join(' '),
		what: `candle ${when}`,
	};
}

/** The trade at the top of the tape: `2026-11-24 02:00:00.123 UTC buy 0.5 at 61500`. */
function topTradeText({store, ui, page, now}: Control): Copied | undefined {
	const {trades: tape} = store.getSnapshot();
	if (tape.status !== 'ready') return undefined;
	const {tape: view, zone} = ui.getSnapshot();
	const list = tapeList(tape.data, view);
	const trade = list.trades[topTrade(list, view.anchor, {count: page.rows, now, zone})];
	if (!trade) return undefined;
	const {time, side, sideText, quantity, price} = trade;
	const when = formatFullTime(time, zone);
	return {
		text: [when, side ?? sideText, formatPlain(quantity), 'at', formatPlain(price)].filter(Boolean).join(' '),
		what: `trade ${formatPlain(quantity)} at ${formatPlain(price)}`,
	};
}

/** Where the open overlay or the focused panel is on the screen. */
function panelPlace({ui, size}: Control): Place {
	const state = ui.getSnapshot();
	const shown = shownPlaces(size, state).find(({on}) => on === 'overlay' || on === state.focus);
	return shown ?? {x: 0, y: 0, width: 0, height: 0};
}

const corners = /^[╭╮╰╯┏┓┗┛+#].*[╭╮╰╯┏┓┗┛+#]$/u;
/** The line of a border, at its ends and between its words. */
const borderLine = /^[╭╮╰╯┏┓┗┛+#][─━=-]+ ?| ?[─━=-]*[╭╮╰╯┏┓┗┛+#]$/gu;

/** Rows without the frame around them, blanks at the end and empty rows at the end. */
function unframed(rows: readonly string[]): readonly string[] {
	const [first = '', last = ''] = [rows[0], rows.at(-1)];
	const isFramed = rows.length > 2 && corners.test(first) && corners.test(last);
	const inner = rows.map((row, index) => {
		if (!isFramed) return row.trimEnd();
		const isEdge = index === 0 || index === rows.length - 1;
		return (isEdge ? row.replaceAll(borderLine, '').replaceAll(/ [─━=-]{2,} /gu, '  ') : row.slice(1, -1)).trimEnd();
	});
	return inner.slice(0, inner.findLastIndex(row => row !== '') + 1);
}
