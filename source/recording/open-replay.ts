import {UnavailableError} from '../client/errors.ts';
import type {Exchange, InterfaceChoice} from '../client/exchange.ts';
import {exchangeOf} from '../client/middleware.ts';
import type {Clock} from '../market/clock.ts';
import {findMarket, symbolKey} from '../market/symbol.ts';
import type {Period} from '../market/types.ts';
import {createMarketStore} from '../store/market-store.ts';
import type {MarketStore} from '../store/state.ts';
import {notRecordedBrief} from './known-time.ts';
import {createPlayback} from './playback.ts';
import type {PlaybackReader} from './playback-reader.ts';
import {createPlayer, type Place, type Player, type Session} from './player.ts';
import {createRecordedChanges} from './recorded-changes.ts';
import type {RecordingReader} from './recording-reader.ts';
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
	storeOf(shown: {
		readonly symbol?: string | undefined;
		readonly period?: Period | undefined;
		readonly choice?: InterfaceChoice;
	}): MarketStore;
	/** The next (1) or previous (-1) recorded change of a market; undefined: there is none. */
	changeAt(symbol: string | undefined, by: 1 | -1): Place | undefined;
};

type ReplayOptions = {
	readonly reader: PlaybackReader;
	/** Oldest first, at least one. */
	readonly sessions: readonly Session[];
	/** The computer's clock. */
	readonly clock: Clock;
	/** Lets promises settle. */
	readonly settle: () => Promise<unknown>;
	/** Epoch ms, or a place. Default: the beginning. */
	readonly from?: number | Place | undefined;
	readonly speed?: Speed | undefined;
	/** Called when what comes next cannot be read. Default: throws. */
	readonly onError?: ((error: unknown) => void) | undefined;
};

export function openReplay({reader, sessions, clock, settle, from, speed, onError}: ReplayOptions): Replay {
	const replayClock = createReplayClock(sessions[0]?.from ?? 0, settle);
	const player = createPlayer({sessions, replayClock, clock, from, speed, onError});
	const polling = createPlayback({reader, clock: replayClock, place: player.place});

	const changes = createRecordedChanges(reader);

	function changeAt(symbol: string | undefined, by: 1 | -1): Place | undefined {
		const {session: shown, time: now} = player.place();
		const index = sessions.indexOf(shown);
		const others = by > 0 ? sessions.slice(index + 1) : sessions.slice(0, index).toReversed();
		for (const session of [shown, ...others]) {
			const elsewhere = by > 0 ? -Infinity : Infinity;
			const time = changes.near(session, symbol, session === shown ? now : elsewhere, by);
			if (time !== undefined) return {session, time};
		}

		return undefined;
	}

	return {
		player,
		clock: replayClock,
		exchange: silentExchange,
		changeAt,
		storeOf: ({symbol: first, period: firstPeriod = 60, choice: firstChoice = 'auto'}) =>
			createReplayStore(
				player,
				({symbol, period, choice}) =>
					createMarketStore({
						...{exchange: silentExchange, clock: replayClock, symbol, period, choice, polling, updateGapMs: 0},
					}),
				{symbol: first, period: firstPeriod, choice: firstChoice},
			),
	};
}

/** The market that is shown at first: the named one in any spelling, else the first with a book or trades. Undefined: none was recorded. */
export function replayedSymbol(
	reader: Pick<RecordingReader, 'idAt' | 'markets' | 'symbolsRead'>,
	{id, to}: Session,
	symbols: readonly string[],
	text: string | undefined,
): string | undefined {
	if (text !== undefined) {
		const listed = findMarket(reader.markets(reader.idAt(id, to)), text)?.symbol;
		return symbols.find(symbol => symbolKey(symbol) === symbolKey(text)) ?? symbols.find(symbol => symbol === listed);
	}

	const read = new Set([...reader.symbolsRead(id, 'depth'), ...reader.symbolsRead(id, 'trades')]);
	return symbols.find(symbol => read.has(symbol)) ?? symbols[0];
}

/** Answers nothing: what is shown or judged comes from a recording. */
export const silentExchange = exchangeOf(
	async () => {
		const remedy = 'go to another time';
		throw new UnavailableError({operation: 'info', interface: 'v2', url: '', brief: notRecordedBrief, remedy});
	},
	{
		interfaces: ['v2', 'legacy'],
		budget: () => ({used: 0, allowed: 0}),
		retryNow() {},
		close: async () => {},
	},
);
