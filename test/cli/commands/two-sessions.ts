import type {Trade} from '../../../source/market/types.ts';
import {answered, failed, recordSample, startedAt, symbol} from '../../recording/recordings.ts';

/** 14:00:00. */
export const at = (seconds: number) => startedAt + seconds * 1000;

/** One each second, from 14:00:00 on: trade 100 is of 14:00:00. */
export function trade(second: number): Trade {
	const side = second % 2 === 0 ? 'buy' : 'sell';
	return {id: String(100 + second), time: at(second), price: 100 + (second % 7), quantity: 1, side, sideText: side};
}

/** The trades of that second and of those before it, newest first. */
export const page = (second: number, size: number): readonly Trade[] =>
	Array.from({length: size}, (_, age) => trade(second - age));

export const market = {symbol, id: '17', base: 'BTC', quote: 'USDT', state: 'active', type: 'spot'};
export const ticker = {symbol, last: 101.5, state: 'active', type: 'spot'};
export const candle = {time: startedAt - 60_000, open: 1, high: 3, low: 1, close: 2, volume: 4};

/** Two sessions of the same day: from 14:00:00 to 14:00:30, and from 14:01:00 to 14:01:10. */
export function record(): string {
	const first = Array.from({length: 31}, (_, second) => [
		answered.depth({asks: [[102 + second, 1]], bids: [[100, 2]]}, at(second)),
		answered.trades(page(second, 3), at(second)),
	]).flat();
	const lists = [answered.ticker([ticker], at(0)), answered.candles([candle], at(0))];
	const path = recordSample([
		answered.markets([market], at(0)),
		...lists,
		...first,
		failed({ask: 'depth', market: symbol}, at(30.5)),
	]);
	const second = Array.from({length: 11}, (_, each) => answered.trades(page(60 + each, 3), at(60 + each)));
	return recordSample([answered.markets([market], at(60)), ...second], path, at(60));
}
