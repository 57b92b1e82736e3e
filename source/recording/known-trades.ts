import {isFormer} from '../market/continued-tape.ts';
import {compareTrades} from '../market/tape.ts';
import {aheadMs, type TradeClock, type TradePage, withPage} from '../market/trade-clock.ts';
import type {Trade} from '../market/types.ts';
import {readAnswerRow} from './answers.ts';
import type {Columns} from './recorded-columns.ts';
import {addedIn} from './trade-rows.ts';

/** Up to when the trades of a market are known. Epoch ms. */
export type LastTrades = {
	/** By the clock of the trades: the newest one, or when the last page was requested. */
	readonly last: number;
	/** When the last page was known, by that of the recorder. */
	readonly lastAt: number;
	/** How far the clock of the trades was ahead of the recorder's then. */
	readonly aheadMs: number;
};

/** As many pages show the clock of the trades. */
export const clockPages = 60;

/** `rows`: answers with trades of one interface, newest first, each with its row of the table `trade`, if it has one. */
export function lastTrades(rows: readonly Columns[]): LastTrades | undefined {
	let clock: TradeClock | undefined;
	let trades: readonly Trade[] = [];
	let page: (TradePage & {readonly endedAt: number}) | undefined;
	for (const row of rows.toReversed()) {
		const read = readAnswerRow(row);
		if (!('answer' in read)) continue;
		const {receivedAt, serverTime, cache} = read.answer;
		page = {...(!cache?.isHit && {sentAt: read.sentAt}), receivedAt, serverTime, endedAt: read.endedAt};
		const added = row.times === null ? undefined : addedIn(row);
		const isSet = added && (added.startsOver || added.redatedMs !== undefined || added.former !== undefined);
		const previous = isSet ? [] : trades;
		const {former} = added ?? {};
		const fresh = (added?.trades ?? []).filter(trade => !former || !isFormer(trade, former));
		trades = [...fresh, ...previous].sort(compareTrades);
		clock = withPage(clock, page, trades, previous);
	}

	if (!clock || !page) return undefined;
	const ahead = aheadMs(clock.ahead, page);
	const madeAfter = Math.min(page.sentAt ?? page.receivedAt, page.receivedAt);
	return {last: Math.max(trades[0]?.time ?? -Infinity, madeAfter + ahead), lastAt: page.endedAt, aheadMs: ahead};
}
