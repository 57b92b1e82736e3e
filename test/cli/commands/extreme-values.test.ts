/** Prices and sizes up to the largest number: what no number can say is unknown in every line, table, document and event. */
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {valuesText} from '../../../source/alerts/alert-texts.ts';
import {parseCondition} from '../../../source/alerts/parse-condition.ts';
import {marketValues} from '../../../source/alerts/quantity-values.ts';
import {
	candlesDocument,
	depthDocument,
	tickerDocument,
	tradesDocument,
} from '../../../source/cli/commands/documents.ts';
import {rowLines} from '../../../source/cli/commands/row-lines.ts';
import {candlesTable, depthTable, tickerTable, tradesTable} from '../../../source/cli/commands/tables.ts';
import {createMarketEvents, metEvent} from '../../../source/cli/commands/watch-events.ts';
import {watchReport} from '../../../source/cli/commands/watch-rows.ts';
import {operationOf} from '../../../source/client/middleware.ts';
import type {Ask} from '../../../source/client/question.ts';
import {groupCandles} from '../../../source/market/candle-groups.ts';
import {candlesFromTrades} from '../../../source/market/candles.ts';
import {marketTitle} from '../../../source/view/market-title.ts';
import {anyBook, anyCandles, anyTape, anyTicker, decimalsFor, notFinite} from '../../helpers/any-values.ts';
import {schemaFaults} from '../../helpers/json-schemas.ts';
import {marketState, received} from '../../helpers/market-state.ts';

const now = Date.UTC(2026, 10, 20, 12);
const market = {symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', state: 'active'};
const origin = {exchange: 'sample', demo: false, schemaVersion: 1} as const;
const anyMarket = fc.record({
	...{book: anyBook, ticker: anyTicker('BTCUSDT'), tape: anyTape(now), candles: anyCandles(now), ascii: fc.boolean()},
});

function expectFinite(...texts: readonly string[]): void {
	expect(texts.filter(text => notFinite.test(text))).toEqual([]);
}

test('lines, titles and alerts of any numbers have finite ones', () => {
	fc.assert(
		fc.property(anyMarket, ({book, ticker, tape, ascii}) => {
			const state = marketState({
				decimals: decimalsFor(
					tape.trades.map(({price}) => price),
					tape.trades.map(({quantity}) => quantity),
				),
				...{trades: received(tape, now), depth: received(book, now)},
				tickers: received(new Map([[ticker.symbol, ticker]]), now),
			});
			expectFinite(watchReport([state], {now, ascii, demo: false}));
			expectFinite(marketTitle(state, {demo: false, isRecorded: false, others: 0, ascii}));
			expectFinite(valuesText({values: marketValues(state, now), gap: undefined, time: now}, ascii));
			const gap = {from: now, to: now, high: ticker.high, low: ticker.low};
			expectFinite(valuesText({values: {}, gap, time: now}, ascii));
		}),
		{numRuns: 60},
	);
});

test('tables of any numbers have finite ones', () => {
	fc.assert(
		fc.property(anyMarket, fc.constantFrom(40, 80, undefined), ({book, ticker, tape, candles, ascii}, width) => {
			const style = {demo: false, ascii, now, width};
			const built = candlesFromTrades(tape.trades, 1).candles;
			const lines = [
				tickerTable(received([ticker], now), style),
				depthTable(market, received(book, now), style),
				tradesTable(market, received(tape.trades, now), style),
				...[candles, built, groupCandles(candles, 1, 5).candles].map(each =>
					candlesTable(market, 1, received(each, now), style),
				),
			].flatMap(table => table.lines);
			expectFinite(...lines);
		}),
		{numRuns: 60},
	);
});

test('documents and rows of any numbers are as their schemas say', () => {
	fc.assert(
		fc.property(anyMarket, ({book, ticker, tape, candles}) => {
			const documents: ReadonlyArray<readonly [ask: Ask, document: object]> = [
				['tickers', tickerDocument(received([ticker], now))],
				['depth', depthDocument('BTCUSDT', received(book, now))],
				['trades', tradesDocument('BTCUSDT', received(tape.trades, now))],
				...[candles, candlesFromTrades(tape.trades, 1).candles, groupCandles(candles, 1, 5).candles].map(
					parts =>
						[
							'candles',
							candlesDocument('BTCUSDT', {period: 1, builtFrom: undefined, parts}, received(parts, now), {
								complete: true,
								incomplete: null,
							}),
						] as const,
				),
			];
			for (const [ask, document] of documents) {
				const whole = JSON.parse(JSON.stringify({...document, ...origin}));
				expect(schemaFaults(operationOf(ask), whole)).toEqual([]);
				for (const format of ['csv', 'tsv'] as const) expectFinite(...rowLines(ask, whole, format));
			}
		}),
		{numRuns: 60},
	);
});

test('events of any numbers are as their schemas say', () => {
	const condition = parseCondition('last > 1', key => ({key}));
	fc.assert(
		fc.property(anyMarket, ({book, ticker, tape, candles}) => {
			const built = candlesFromTrades(tape.trades, 1);
			for (const series of [built, {period: 1, candles, builtFrom: 'exchange'} as const]) {
				const state = marketState({
					...{trades: received(tape, now), depth: received(book, now), candles: received(series, now)},
					tickers: received(new Map([[ticker.symbol, ticker]]), now),
				});
				const events = [
					...createMarketEvents({backfill: true})(state, now),
					metEvent(condition, state, {time: now, values: {}, states: [state]}),
				];
				for (const {key: _, ...event} of events) {
					const line = {...event, ...origin, eventId: '0'.repeat(16)};
					expect(schemaFaults('watch-event', JSON.parse(JSON.stringify(line)))).toEqual([]);
				}
			}
		}),
		{numRuns: 60},
	);
});
