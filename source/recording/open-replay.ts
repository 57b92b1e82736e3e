import {UnavailableError} from '../client/errors.ts';
import type {Exchange} from '../client/exchange.ts';
import type {Clock} from '../market/clock.ts';
import {symbolKey} from '../market/symbol.ts';
import type {Period} from '../market/types.ts';
import {createMarketStore} from '../store/market-store.ts';
import type {MarketStore, ResourceName} from '../store/state.ts';
import {createPlayback} from './playback.ts';
import type {Channel, PlaybackReader} from './playback-reader.ts';
import {createPlayer, type Player, type Session} from './player.ts';
import {createReplayClock, type ReplayClock} from './replay-clock.ts';
import type {Speed} from './replay-controls.ts';
import {createReplayStore} from './replay-store.ts';

/** A recording that plays. */
export type Replay = {
	readonly player: Player;
	/** Shows the player's time. */
	readonly clock: ReplayClock;
	/** Answers nothing: no request is sent while a recording is shown. */
	readonly exchange: Exchange;
	storeOf(shown: {readonly symbol?: string | undefined; readonly period?: Period | undefined}): MarketStore;
	/** The time of the next (1) or previous (-1) change of a market; undefined: there is none in this session. */
	changeAt(symbol: string | undefined, by: 1 | -1): number | undefined;
};

type ReplayOptions = {
	readonly reader: PlaybackReader;
	/** Oldest first, at least one. */
	readonly sessions: readonly Session[];
	/** The computer's clock. */
	readonly clock: Clock;
	/** Lets promises settle. */
	readonly settle: () => Promise<unknown>;
	/** Epoch ms. Default: the beginning. */
	readonly from?: number | undefined;
	readonly speed?: Speed | undefined;
	readonly intervals?: Partial<Readonly<Record<ResourceName, number>>> | undefined;
};

export function openReplay({reader, sessions, clock, settle, from, speed, intervals}: ReplayOptions): Replay {
	const replayClock = createReplayClock(sessions[0]?.from ?? 0, settle);
	const player = createPlayer({sessions, replayClock, clock, from, speed});
	const polling = createPlayback({reader, clock: replayClock, place: player.place, intervals});

	function changeAt(symbol: string | undefined, by: 1 | -1): number | undefined {
		const {session, time} = player.place();
		const id = reader.idAt(session.id, time);
		const channels: readonly Channel[] = [
			{operation: 'ticker'},
			...(symbol === undefined ? [] : (['depth', 'trades'] as const).map(operation => ({operation, symbol}))),
		];
		const times = channels.flatMap(channel => {
			if (by > 0) return reader.next(session.id, channel, id)?.endedAt ?? [];
			const reads = reader.last(session.id, channel, id, {from: session.from, count: 2});
			return reads.findLast(({endedAt}) => endedAt < time)?.endedAt ?? [];
		});
		if (times.length === 0) return undefined;
		return by > 0 ? Math.min(...times) : Math.max(...times);
	}

	return {
		player,
		clock: replayClock,
		exchange: silentExchange,
		changeAt,
		storeOf: ({symbol: first, period: firstPeriod = 60}) =>
			createReplayStore(
				player,
				({symbol, period, choice}) =>
					createMarketStore({
						...{exchange: silentExchange, clock: replayClock, symbol, period, choice, polling, updateGapMs: 0},
					}),
				{symbol: first, period: firstPeriod, choice: 'auto'},
			),
	};
}

/** The market that is shown at first: the named one in any spelling, else the first with a book or trades. Undefined: none was recorded. */
export function replayedSymbol(
	reader: PlaybackReader,
	{id, to}: Session,
	symbols: readonly string[],
	text: string | undefined,
): string | undefined {
	if (text !== undefined) return symbols.find(symbol => symbolKey(symbol) === symbolKey(text));
	const end = reader.idAt(id, to);
	const hasRead = (symbol: string) =>
		(['depth', 'trades'] as const).some(
			operation => reader.last(id, {operation, symbol}, end, {from: 0, count: 1}).length > 0,
		);
	return symbols.find(hasRead) ?? symbols[0];
}

const refuse = (): Promise<never> =>
	Promise.reject(
		new UnavailableError({
			operation: 'info',
			interface: 'v2',
			url: '',
			brief: 'not recorded',
			remedy: 'go to another time',
		}),
	);

const silentExchange: Exchange = {
	interfaces: ['v2', 'v1'],
	info: refuse,
	markets: refuse,
	tickers: refuse,
	depth: refuse,
	trades: refuse,
	candles: refuse,
	budget: () => ({used: 0, allowed: 0}),
	retryNow() {},
	close: async () => {},
};
