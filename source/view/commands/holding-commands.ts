import {stripControl} from '../../format/control.ts';
import {type Holding, mostHoldings} from '../../market/holdings.ts';
import {clamp} from '../../market/numbers.ts';
import {splitNumber, type Typed, typedNumber} from '../../market/typed-number.ts';
import {typedHolding} from '../holding-texts.ts';
import {keyHintOf} from '../keys.ts';
import {heldAt} from '../panels/holdings/rows.ts';
import {currencyOf} from '../panels/markets/entries.ts';
import {pickerListOf} from '../panels/markets/list.ts';
import {changed, initialUi} from '../ui-state.ts';
import {type Holdings, valuationIn} from '../valuation.ts';
import {beginning, type Command, type Control, noted, type Vocabulary} from './command.ts';

const takes = 'an asset, an amount, optionally what one unit cost: BTC 0.5 @ 61000 USDT';

/** Say what one holds. */
export const holdingCommands: readonly Command[] = [
	{
		name: 'holdings',
		keys: [],
		help: 'list your holdings and their value',
		run: ({ui}) =>
			ui.update(state => ({...state, holdingList: {cursor: state.holdingList.cursor}, overlay: 'holdings'})),
	},
	{
		name: 'holding',
		keys: [],
		help: 'add, change or, with amount 0, delete a holding',
		argument: {takes, complete: completeAsset, run: stateHolding},
	},
];

/** Those that act in the list of holdings. */
export const holdingListCommands: readonly Command[] = [
	{
		name: 'holding-show',
		keys: ['enter'],
		overlay: 'holdings',
		help: 'show the market that values the holding under the cursor',
		hint: {word: 'show', rank: 6},
		run: showMarket,
	},
	{
		name: 'holding-add',
		keys: ['a'],
		overlay: 'holdings',
		help: 'add a holding',
		hint: {word: 'add', rank: 7},
		run: ({ui}) => ui.update(state => ({...state, command: {text: 'holding '}})),
	},
	{
		name: 'holding-edit',
		keys: ['e'],
		overlay: 'holdings',
		help: 'edit the holding under the cursor',
		hint: {word: 'edit', rank: 8},
		run(control) {
			const {held} = listOf(control);
			if (!held) return noted(noHoldings, control);
			control.ui.update(state => ({...state, command: {text: `holding ${typedHolding(held)}`}}));
		},
	},
	{
		name: 'holding-delete',
		keys: ['x'],
		overlay: 'holdings',
		help: 'delete the holding under the cursor, if pressed twice',
		hint: {word: 'delete', rank: 12},
		run: deleteTwice,
	},
];

const noHoldings = 'there are no holdings yet';
const ofConfig = (asset: string): string => `${asset} is in the config file; tapewatch config edit changes it`;

function listOf({store, ui}: Control) {
	const {holdingList, picker} = ui.getSnapshot();
	const valuation = valuationIn(store.getSnapshot(), picker.holdings, picker.currency);
	return {assets: valuation.assets, held: heldAt(valuation, holdingList.cursor)};
}

const mostCompleted = 12;

/** The base assets that begin like the text, those of the most traded markets first. */
function completeAsset(text: string, vocabulary: Vocabulary): readonly string[] {
	if (text.includes(' ') || vocabulary.markets.status !== 'ready') return [];
	const list = pickerListOf(vocabulary, {...initialUi('wide').picker});
	const bases = new Set(list.map(({market}) => market.base?.toUpperCase() ?? ''));
	return beginning([...bases])(text)
		.slice(0, mostCompleted)
		.map(asset => `${asset} `);
}

/** The longest name of an asset, in UTF-16 units. */
const mostName = 20;

/** Reads `BTC 0.5`, `BTC 0.5 @ 61000` and `BTC 0.5 @ 61000 USDT`. `quote`: of a cost that names none. */
function parseHolding(text: string, quote: string): Typed<Holding> {
	const [, name = '', rest = ''] = /^\s*(\S+)\s*(.*)$/s.exec(stripControl(text)) ?? [];
	const asset = name.toUpperCase();
	if (asset.length > mostName || !/\p{L}|\p{N}/u.test(asset)) return {fault: `holding takes ${takes}`};
	const [first, second, ...others] = rest.split('@');
	if (others.length > 0) return {fault: `holding takes ${takes}`};
	const amount = typedNumber(first ?? '');
	if ('fault' in amount) return {fault: `${amount.fault}; holding takes ${takes}`};
	if (amount.value < 0) return {fault: 'an amount is not below 0'};
	if (second === undefined) return {value: {asset, amount: amount.value}};
	const [digits, unit] = splitNumber(second);
	const price = typedNumber(digits);
	if ('fault' in price) return {fault: `${price.fault}; holding takes ${takes}`};
	if (price.value <= 0) return {fault: 'a cost is above 0; leave it out where it is unknown'};
	if (/\s/.test(unit) || unit.length > mostName) return {fault: `${unit} is not an asset; holding takes ${takes}`};
	return {value: {asset, amount: amount.value, cost: {price: price.value, quote: unit.toUpperCase() || quote}}};
}

function stateHolding(text: string, {store, ui}: Control): string | undefined {
	const {markets} = store.getSnapshot();
	const {picker} = ui.getSnapshot();
	const {holdings} = picker;
	const quote = currencyOf(markets.status === 'ready' ? markets.data : [], picker.currency);
	const read = parseHolding(text, quote);
	if ('fault' in read) return read.fault;
	const {asset, amount} = read.value;
	const before = holdings.get(asset);
	if (before?.origin === 'config') return ofConfig(asset);
	if (amount === 0) {
		if (!before) return `there is no holding of ${asset}`;
		ui.update(changed('picker', {holdings: without(holdings, asset)}));
		ui.update(state => ({...state, notice: `holding ${typedHolding(before)} deleted`}));
		return undefined;
	}

	if (!before && holdings.size >= mostHoldings) return `there are ${mostHoldings} holdings, which is the most`;
	ui.update(changed('picker', {holdings: new Map([...holdings, [asset, {...read.value, origin: 'user'}]])}));
	ui.update(state => ({
		...state,
		holdingList: {cursor: asset},
		notice: `holding ${typedHolding(read.value)} ${before ? 'changed' : 'added'}`,
	}));
	return undefined;
}

const without = (holdings: Holdings, asset: string): Holdings =>
	new Map([...holdings].filter(([each]) => each !== asset));

/** Moves the cursor of the list. Above 0: down. */
export function moveInHoldings(by: number, control: Control): void {
	const {assets, held} = listOf(control);
	const next = held && assets[clamp(assets.indexOf(held) + by, 0, assets.length - 1)];
	control.ui.update(state => ({...state, holdingList: {cursor: next?.asset}}));
}

/** Shows the market that values the holding, and closes the list. */
function showMarket(control: Control): void {
	const {held} = listOf(control);
	if (!held) return noted(noHoldings, control);
	const [market] = held.source?.markets ?? [];
	if (market === undefined) return noted(`no market values ${held.asset}`, control);
	control.store.select(market);
	control.ui.update(state => ({...state, overlay: undefined}));
}

function deleteTwice(control: Control): void {
	const {ui, commands} = control;
	const {assets, held} = listOf(control);
	if (!held) return noted(noHoldings, control);
	const {overlay, picker, holdingList} = ui.getSnapshot();
	const {holdings} = picker;
	const {asset} = held;
	if (holdings.get(asset)?.origin === 'config') return noted(ofConfig(asset), control);
	// Typed, it opens the list: what is not seen is not deleted.
	if (overlay !== 'holdings' || holdingList.deleting !== asset) {
		const notice = keyHintOf(commands, false)('again deletes it', 'holding-delete');
		return ui.update(state => ({...state, overlay: 'holdings', holdingList: {cursor: asset, deleting: asset}, notice}));
	}

	const index = assets.indexOf(held);
	const next = assets[index + 1] ?? assets[index - 1];
	ui.update(changed('picker', {holdings: without(holdings, asset)}));
	ui.update(state => ({
		...state,
		holdingList: {cursor: next?.asset},
		notice: `holding ${typedHolding(held)} deleted`,
	}));
}
