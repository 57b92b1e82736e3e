import {findMarket, marketsNamed, noMarketText} from '../../market/symbol.ts';
import {pickerListOf} from '../panels/markets/list.ts';
import {initialUi} from '../ui-state.ts';
import type {Mistake, Vocabulary} from './command.ts';

export const loading = 'the market list is still loading';

const mostFound = 12;

/** Symbols of the markets that the picker would find. */
export function marketsFound(filter: string, vocabulary: Vocabulary): readonly string[] {
	const list = pickerListOf(vocabulary, {...initialUi('wide').picker, filter});
	return list.slice(0, mostFound).map(({market}) => market.symbol);
}

/** Completes the last word to markets. */
export function completeLastMarket(text: string, vocabulary: Vocabulary): readonly string[] {
	const [, before = '', last = ''] = /^(.*\s)?(\S*)$/.exec(text) ?? [];
	return marketsFound(last, vocabulary).map(symbol => before + symbol);
}

export type Named = {readonly symbols: readonly string[]} | Omit<Mistake, 'at'>;

/** The symbols that `texts` name in any spelling, or what is wrong with the first text that names none. */
export function symbolsNamed(texts: readonly string[], {markets}: Pick<Vocabulary, 'markets'>): Named {
	if (markets.status !== 'ready') return {fault: loading};
	const symbols: string[] = [];
	for (const text of texts) {
		const symbol = findMarket(markets.data, text)?.symbol;
		if (symbol === undefined) {
			const isUnlisted = marketsNamed(markets.data, text).length === 0 || undefined;
			return {fault: noMarketText(markets.data, text), isUnlisted};
		}

		symbols.push(symbol);
	}

	return {symbols};
}
