import {stripControl} from '../../format/control.ts';
import {type HeldAsset, type Holding, mostHoldings} from '../../market/holdings.ts';
import {splitNumber, type Typed, typedNumber} from '../../market/typed-number.ts';
import {assetName, typedHolding} from '../holding-texts.ts';
import {currencyOf} from '../panels/markets/entries.ts';
import {pickerListOf} from '../panels/markets/list.ts';
import {changed, initialUi} from '../ui-state.ts';
import {valuationIn} from '../valuation.ts';
import {beginning, type Command, type Control, noted, openLine, type Vocabulary} from './command.ts';
import {listOverlay} from './list-overlay.ts';

const takes = 'an asset, an amount, optionally what one unit cost: BTC 0.5 @ 61000 USDT';

export const holdingList = listOverlay<HeldAsset>({
	overlay: 'holdings',
	thing: 'holding',
	rowsOf({store, ui}) {
		const {holdings, currency} = ui.getSnapshot().picker;
		return valuationIn(store.getSnapshot(), holdings, currency).assets;
	},
	keyOf: ({asset}) => asset,
	textOf: typedHolding,
	empty: 'there are no holdings yet',
});

/** Say what one holds. */
export const holdingCommands: readonly Command[] = [
	{name: 'holdings', keys: [], help: 'list your holdings and their value', run: holdingList.open},
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
		help: 'show the market that values the holding under the cursor',
		hint: {word: 'show', rank: 6},
		run: holdingList.onRow(showMarket),
	},
	holdingList.adding('add a holding', 7),
	{
		name: 'holding-edit',
		keys: ['e'],
		help: 'edit the holding under the cursor',
		hint: {word: 'edit', rank: 8},
		run: holdingList.onRow((held, control) => openLine(`holding ${typedHolding(held)}`, control)),
	},
	holdingList.deletion({
		whyNot: ({asset}, {ui}) =>
			ui.getSnapshot().picker.holdings.get(asset)?.origin === 'config' ? ofConfig(asset) : undefined,
		remove: (held, control) => deleted(held, control),
	}),
];

const ofConfig = (asset: string): string => `${asset} is in the config file; tapewatch config edit changes it`;

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

/** Reads `BTC 0.5`, `BTC 0.5 @ 61000` and `BTC 0.5 @ 61000 USDT`. `quote`: of a cost that names none. */
function parseHolding(text: string, quote: string): Typed<Holding> {
	const [, name = '', rest = ''] = /^\s*(\S+)\s*(.*)$/s.exec(stripControl(text)) ?? [];
	const asset = assetName(name);
	if (asset === undefined) return {fault: `holding takes ${takes}`};
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
	const paidIn = unit === '' ? quote : assetName(unit);
	if (paidIn === undefined) return {fault: `${unit} is not an asset; holding takes ${takes}`};
	return {value: {asset, amount: amount.value, cost: {price: price.value, quote: paidIn}}};
}

function stateHolding(text: string, control: Control): string | undefined {
	const {store, ui} = control;
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
		noted(deleted(before, control), control);
		return undefined;
	}

	if (!before && holdings.size >= mostHoldings) return `there are ${mostHoldings} holdings, which is the most`;
	ui.update(changed('picker', {holdings: new Map([...holdings, [asset, {...read.value, origin: 'user'}]])}));
	const notice = `holding ${typedHolding(read.value)} ${before ? 'changed' : 'added'}`;
	ui.update(state => ({...holdingList.at(read.value)(state), notice}));
	return undefined;
}

/** Deletes a holding, and says so. */
function deleted(held: Holding, {ui}: Control): string {
	const {holdings} = ui.getSnapshot().picker;
	ui.update(changed('picker', {holdings: new Map([...holdings].filter(([asset]) => asset !== held.asset))}));
	return `holding ${typedHolding(held)} deleted`;
}

/** Shows the market that values the holding, and closes the list. */
function showMarket(held: HeldAsset, control: Control): void {
	const [market] = held.source?.markets ?? [];
	if (market === undefined) return noted(`no market values ${held.asset}`, control);
	control.store.select(market);
	control.ui.update(state => ({...state, overlay: undefined}));
}
