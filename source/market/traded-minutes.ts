import {addedOnTop} from './new-trades.ts';
import {addTo, type DecimalSum} from './precision.ts';
import {reachOf, type Tape} from './tape.ts';
import type {Side, Trade} from './types.ts';
import {minuteMs} from './units.ts';

/** In base asset, by the price in quote asset. */
type PriceSums = Map<number, DecimalSum>;

/** What was traded at each price of one minute, by the taker's side. */
type TradedMinute = Readonly<Record<Side | 'unknown', ReadonlyMap<number, DecimalSum>>>;

export type TradedMinutes = {
	/** By the start of the minute, epoch ms. A minute without trades has no entry. */
	readonly minutes: ReadonlyMap<number, TradedMinute>;
	/** Every trade after this time is counted, epoch ms; `Infinity`: none is. */
	readonly after: number;
};

/** Prices of all minutes together; an hour of 40 trades a second can have 70,000. The oldest minutes are dropped. */
const mostPrices = 100_000;

const minuteOf = (time: number): number => Math.floor(time / minuteMs) * minuteMs;

/**
 * Sums the trades of the tapes of one market by minute, price and side, as far as none is missing up to the newest. What is counted
 * stays when a full tape drops its oldest trades. The same object again for the same tape.
 */
export function createTradedMinutes(): (tape: Tape) => TradedMinutes {
	let last: Tape | undefined;
	/** How many trades of the last tape are counted: from the newest to the first gap. */
	let reached = 0;
	let minutes = new Map<number, Record<Side | 'unknown', PriceSums>>();
	let after = Infinity;
	let counted: TradedMinutes = {minutes, after};

	function add({time, price, quantity, side}: Trade): void {
		const start = minuteOf(time);
		const minute = minutes.get(start) ?? {buy: new Map(), sell: new Map(), unknown: new Map()};
		minutes.set(start, minute);
		addTo(minute[side ?? 'unknown'], price, quantity);
	}

	/** Counts the tape again, and keeps what is older where the tape continues what was counted. */
	function addAll(trades: readonly Trade[], isUnbroken: boolean): void {
		const oldest = trades.at(-1);
		const place = oldest && isUnbroken ? (last?.trades.indexOf(oldest) ?? -1) : -1;
		const goesOn = place >= 0 && place < reached;
		const edge = goesOn && oldest ? minuteOf(oldest.time) : -Infinity;
		minutes = new Map([...minutes].filter(([start]) => start <= edge));
		if (!goesOn) after = oldest?.time ?? Infinity;
		for (const trade of trades) if (minuteOf(trade.time) > edge) add(trade);
	}

	function dropOldest(): void {
		let count = 0;
		for (const [start, {buy, sell, unknown}] of [...minutes].sort(([one], [other]) => other - one)) {
			count += buy.size + sell.size + unknown.size;
			if (count <= mostPrices) continue;
			minutes.delete(start);
			after = Math.max(after, start + minuteMs - 1);
		}
	}

	return tape => {
		if (tape !== last) {
			const {trades} = tape;
			const reach = reachOf(tape);
			const onTop = last && addedOnTop(last.trades, trades);
			if (onTop !== undefined && onTop < reach && reach === Math.min(reached + onTop, trades.length)) {
				for (let index = 0; index < onTop; index++) {
					const trade = trades[index];
					if (trade) add(trade);
				}
			} else {
				addAll(trades.slice(0, reach), reach === trades.length);
			}

			last = tape;
			reached = reach;
			dropOldest();
			counted = {minutes, after};
		}

		return counted;
	};
}
