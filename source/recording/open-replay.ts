import {isDeepStrictEqual} from 'node:util';
import type {QuestionOf} from '../client/question.ts';
import {findMarket, symbolKey} from '../market/symbol.ts';
import {createStore, type Store} from '../store/create-store.ts';
import type {MarketStore} from '../store/state.ts';
import type {Log, Logged, Moment, RecordedGap, Session} from './outcome-log.ts';
import {createPastStore, type PastView, silentExchange} from './playback.ts';
import {createPlayer, type Player, type PlayerOptions} from './player.ts';
import type {RecordingReader} from './recording-reader.ts';
import type {ReplayControls, ReplayStatus, Stretch} from './replay-controls.ts';

/** A recording that plays. */
export type Replay = ReturnType<typeof openReplay>;

/** `log`: has at least one session. */
type ReplayOptions = {readonly log: Log} & Omit<PlayerOptions, 'sessions'>;

export function openReplay({log, ...options}: ReplayOptions) {
	const sessions = log.sessions();
	const player = createPlayer({...options, sessions});

	function changeAt(symbol: string | undefined, by: 1 | -1): Moment | undefined {
		const {session: shown, time: now} = player.moment();
		const index = sessions.indexOf(shown);
		const others = by > 0 ? sessions.slice(index + 1) : sessions.slice(0, index).toReversed();
		for (const session of [shown, ...others]) {
			const elsewhere = -by * Infinity;
			const time = nearestChange(log, session, symbol, {time: session === shown ? now : elsewhere, by});
			if (time !== undefined) return {session, time};
		}

		return undefined;
	}

	return {
		player,
		/** Shows the player's time. */
		clock: player.clock,
		/** Answers nothing: no request is sent while a recording is shown. */
		exchange: silentExchange,
		/** The next (1) or previous (-1) recorded change of a market; undefined: there is none. */
		changeAt,
		storeOf: (shown: PastView): MarketStore => createReplayStore(log, player, shown),
	};
}

/** The market that is shown at first: the named one in any spelling, else the first with a book or trades. Undefined: none was recorded. */
export function replayedSymbol(
	reader: Pick<RecordingReader, 'idAt' | 'data' | 'symbolsRead'>,
	{id, to}: Session,
	symbols: readonly string[],
	text: string | undefined,
): string | undefined {
	if (text !== undefined) {
		const listed = findMarket(reader.data({ask: 'markets'}, reader.idAt(id, to)), text)?.symbol;
		return symbols.find(symbol => symbolKey(symbol) === symbolKey(text)) ?? symbols.find(symbol => symbol === listed);
	}

	const read = new Set([...reader.symbolsRead(id, 'depth'), ...reader.symbolsRead(id, 'trades')]);
	return symbols.find(symbol => read.has(symbol)) ?? symbols[0];
}

/**
 * A market store whose time is the player's. After a seek it knows what was known at that moment, and nothing later. Listeners are
 * called when the player shows another moment, not for each answer.
 */
function createReplayStore(log: Log, player: Player, first: PastView): MarketStore {
	const create = (shown: PastView) => createPastStore({log, clock: player.clock, moment: player.moment}, shown);
	let inner = create(first);
	let started = false;
	let stopFollowing = () => {};
	const store = createStore(inner.getSnapshot());
	const publish = () => store.set(inner.getSnapshot());
	/** Does what the user asked for, and shows it at once. */
	const acting =
		<Arguments extends readonly unknown[]>(act: (...given: Arguments) => void) =>
		(...given: Arguments) => {
			act(...given);
			publish();
		};

	function begin() {
		if (started) inner.start();
	}

	return {
		getSnapshot: store.getSnapshot,
		subscribe: store.subscribe,
		select: acting(symbol => inner.select(symbol)),
		setPeriod: acting(period => inner.setPeriod(period)),
		setChoice: acting(choice => inner.setChoice(choice)),
		// Whatever was recorded is known, shown or not.
		show() {},
		polls: name => inner.polls(name),
		setPaused() {},
		loadOlder: acting(() => inner.loadOlder()),
		refresh() {},
		relist: () => false,
		start() {
			if (started) return;
			started = true;
			const stopSeeks = player.onSeek(() => {
				const {symbol, period, choice} = inner.getSnapshot();
				inner.stop();
				inner = create({symbol, period, choice});
				begin();
			});
			const stopMoments = player.subscribe(publish);
			stopFollowing = () => {
				stopSeeks();
				stopMoments();
			};
			begin();
			publish();
		},
		stop() {
			started = false;
			stopFollowing();
			inner.stop();
		},
	};
}

/** What the status line shows of a recording. */
type ReplayFacts = {
	/** What is known of them so far. */
	readonly gaps: Store<readonly RecordedGap[]>;
	/** When alerts called, epoch ms. */
	readonly alerts: readonly number[];
};

/** Controls of a recording that is shown from beginning to end. `shown`: the market on screen. */
export function createReplayControls(
	{player, changeAt}: Pick<Replay, 'player' | 'changeAt'>,
	shown: Pick<MarketStore, 'getSnapshot' | 'subscribe'>,
	{gaps, alerts}: ReplayFacts,
): ReplayControls {
	const {sessions} = player.getSnapshot();
	const from = Math.min(...sessions.map(session => session.from));
	const to = Math.max(...sessions.map(session => session.to));
	const between = betweenSessions(sessions);
	let {symbol} = shown.getSnapshot();
	const unrecorded = () => [...between, ...gaps.getSnapshot().filter(gap => gap.symbol === symbol)];
	let stretches = unrecorded();
	const status = (): ReplayStatus => {
		const {time, isPlaying, speed} = player.getSnapshot();
		return {label: 'REPLAY', time, isPlaying, speed, from, to, gaps: stretches, alerts};
	};
	const store = createStore<ReplayStatus | undefined>(status());
	const update = () => store.set(status());
	player.subscribe(update);
	const updateGaps = () => {
		({symbol} = shown.getSnapshot());
		stretches = unrecorded();
		update();
	};
	gaps.subscribe(updateGaps);
	shown.subscribe(() => {
		if (shown.getSnapshot().symbol !== symbol) updateGaps();
	});

	function moveTo(to: number | Moment): boolean {
		const before = player.getSnapshot();
		player.goTo(to);
		const {session, time} = player.getSnapshot();
		return time !== before.time || session !== before.session;
	}

	return {
		getSnapshot: store.getSnapshot,
		subscribe: store.subscribe,
		hasPresent: false,
		togglePlaying() {
			if (player.getSnapshot().isPlaying) player.pause();
			else player.play();
			return true;
		},
		setSpeed: player.setSpeed,
		skip: ms => moveTo(player.getSnapshot().time + ms),
		step(by) {
			player.pause();
			const change = changeAt(shown.getSnapshot().symbol, by);
			return change !== undefined && moveTo(change);
		},
		goTo: player.goTo,
		end: () => false,
	};
}

/** What no recorder was there for: the stretches between sessions in order of time, as sessions overlap if a clock was set back. */
function betweenSessions(sessions: readonly Session[]): readonly Stretch[] {
	const ordered = sessions.toSorted((one, other) => one.from - other.from);
	let end = ordered[0]?.to ?? 0;
	return ordered.flatMap(({from, to}) => {
		const stretch = {from: end, to: from};
		end = Math.max(end, to);
		return from > stretch.from ? [stretch] : [];
	});
}

/** Reads of a channel that are looked through at once. */
const pageReads = 20;
/** A market in which so many pages change nothing is stepped through by them. */
const mostPages = 30;

type Changing = QuestionOf<'tickers' | 'depth' | 'trades'>;
/**
 * From where on a change is looked for: the first after `time` (1), or the last before it (-1). `nearest`: a change that is known, and
 * beyond which none is looked for. Epoch ms.
 */
type Search = {readonly time: number; readonly by: 1 | -1; readonly nearest?: number | undefined};

/** When a change of what is known of a market became known in a session, epoch ms; undefined: there is none. */
function nearestChange(log: Log, session: Session, market: string | undefined, search: Search): number | undefined {
	if (market === undefined) return undefined;
	// What changes most often comes first.
	const questions: readonly Changing[] = [{ask: 'depth', market}, {ask: 'trades', market}, {ask: 'tickers'}];
	return questions.reduce<number | undefined>(
		(nearest, question) => nearestIn(log, session, market, question, {...search, nearest}) ?? nearest,
		undefined,
	);
}

function nearestIn(
	log: Log,
	session: Session,
	market: string,
	question: Changing,
	{time, by, nearest = by * Infinity}: Search,
): number | undefined {
	const contentOf = ({id}: Logged) =>
		question.ask === 'tickers' ? log.data(question, id).find(({symbol}) => symbol === market) : log.data(question, id);
	const failureOf = (read: Logged | undefined) => read && ('failure' in read ? read.failure.brief : '');

	/** Whether a read tells something else than the one before it. */
	function isChange(read: Logged, before: Logged | undefined): boolean {
		if (!before || failureOf(read) || failureOf(before)) return failureOf(read) !== failureOf(before);
		if (question.ask === 'trades') return log.trades(market, read.id).trades.length > 0;
		return !isDeepStrictEqual(contentOf(before), contentOf(read));
	}

	/** The reads, oldest first, that follow an outcome, or (-1) that end with it. */
	function page(id: number): readonly Logged[] {
		if (by < 0) return log.last(session.id, question, id, {from: nearest, count: pageReads});
		const reads: Logged[] = [];
		let read = log.next(session.id, question, id);
		while (read && read.endedAt < nearest && reads.push(read) < pageReads)
			read = log.next(session.id, question, read.id);
		return reads;
	}

	let from = log.idAt(session.id, time);
	let unchanged: number | undefined;
	for (let count = 0; count < mostPages; count++) {
		const reads = page(from).filter(({endedAt}) => by > 0 || endedAt < time);
		const [first] = reads;
		const end = by > 0 ? reads.at(-1) : first;
		if (!first || !end) return undefined;
		const [before] = log.last(session.id, question, first.id - 1, {from: -Infinity, count: 1});
		const changes = (read: Logged, index: number) => isChange(read, reads[index - 1] ?? before);
		// Data is cheap to read with rising ids.
		const change = by > 0 ? reads.find(changes) : reads.filter(changes).at(-1);
		if (change) return change.endedAt;
		unchanged = end.endedAt;
		from = by > 0 ? end.id : end.id - 1;
	}

	return unchanged;
}
