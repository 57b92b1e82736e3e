import {candleEnd} from './candles.ts';
import {DecimalSum, decimalsOfAll, powerOfTen, sumDecimals} from './precision.ts';
import {firstBefore, reachOf, type Tape} from './tape.ts';
import type {Candle, Period, Trade} from './types.ts';

/** A candle as an answer has it, which may still be forming. */
export type SentCandle = {
	readonly candle: Candle;
	readonly period: Period;
	/** The candle has every trade up to this time, by the clock of the trades, epoch ms. */
	readonly from: number;
	/** Whether the tape has every trade that the candle has. */
	readonly isReached: boolean;
	/** Digits after the point that the exchange writes of volumes. */
	readonly decimals: number;
};

/** What is known of the trades in a candle. */
export type Growth = {
	/** Volume of the candle without `later`. */
	readonly volume: number;
	/** How many trades at the beginning of the tape the candle has not. */
	readonly later: number;
	/** Whether that is certain; else some of the others may be missing from the volume, but none counts twice. */
	readonly isCertain: boolean;
	/** Whether another answer will tell. */
	readonly isAmbiguous?: boolean | undefined;
};

/** The volume of a candle up to one of its trades. */
type Mark = {
	/** Absent: the candle has no trade yet. */
	readonly last?: Trade | undefined;
	readonly volume: number;
};

/** Finds for the newest candle of each answer which trades on the tape it has: asked again as the tape grows. */
export type ContainedTrades = {
	find(sent: SentCandle, tape: Tape): Growth;
};

/**
 * The time of an answer does not tell which trades its last candle has: answers and trades may be stamped by two clocks, and the
 * candles may lag behind the trades. The candle itself tells: it closes at the price of its last trade, and from one answer to the
 * next its volume grows by exactly the trades between. Where the tape has all trades of the candle, its volume is their sum.
 */
export function createContainedTrades(): ContainedTrades {
	let state = nothing;
	/** Candles of this exchange had other volumes than its trades: only two answers that agree are believed. */
	let isDoubtful = false;

	/** Forgets another candle, and what a tape has shown that has lost trades since. */
	function begin({candle}: SentCandle, run: Run): void {
		if (candle.time !== state.start) state = {...nothing, start: candle.time};
		const {marks, proof, newestMark} = state;
		const isBroken = marks.some(({last}) => (last ? indexIn(run, last) < 0 : !run.isWhole));
		if (isBroken) state = {...state, marks: newestMark ? [newestMark] : [], proof: 'none'};
		else if (proof === 'none' && run.isWhole && !isDoubtful) {
			state = {...state, marks: [{volume: 0}], settled: undefined, proof: 'trades'};
		}
	}

	/** Whether trades have come between those that were known, as an exchange sends them late or has set its clock back. */
	function isLate(run: Run): boolean {
		const {previousRun} = state;
		const newest = previousRun && tradeAt(previousRun, 0);
		const place = newest ? indexIn(run, newest) : -1;
		if (!previousRun || place < 0 || tradeAt(run, run.length - 1) !== tradeAt(previousRun, previousRun.length - 1))
			return false;
		return run.length - place > previousRun.length;
	}

	/** Finds out where a new answer ends, once the tape reaches it. */
	function settle(sent: SentCandle, run: Run): void {
		const {candle, isReached, from} = sent;
		const {marks, settled, proof} = state;
		if (candle === settled) return;
		const ends = proof === 'none' ? [] : marks.map(mark => endOf(mark, candle.volume, run));
		if (!isReached && (proof === 'none' || ends.includes('ahead'))) return;
		const all = ends.filter(end => typeof end === 'object');
		const recent = all.filter(end => isRecent(end, sent, run));
		const found = recent.length > 0 ? recent : all;
		if (found.length > 0) {
			const isShown = proof === 'trades' || found.some(end => !marks.includes(end));
			if (isShown) isDoubtful = false;
			state = {...state, marks: found, settled: candle, proof: isShown ? 'trades' : proof};
			return;
		}

		// A cache may give an older answer.
		if (proof === 'trades' && marks.every(({volume}) => volume > candle.volume)) return;
		isDoubtful ||= proof !== 'none';
		const alone = endsAlone(sent, run);
		const isConclusive = alone.length > 0 && (run.isWhole || (tradeAt(run, run.length - 1)?.time ?? Infinity) <= from);
		state = {
			...{...state, settled: candle, proof: isConclusive ? 'price' : 'none'},
			marks: alone.length > 0 ? alone : [{last: tradeAt(run, 0), volume: candle.volume}],
		};
	}

	return {
		find(sent, tape) {
			const {candle} = sent;
			const run = runOf(sent, tape);
			begin(sent, run);
			if (isLate(run)) state = {...nothing, start: candle.time, late: candle};
			state = {...state, previousRun: run};
			// Whether the candle has the late ones is not known: until the next answer, none of the others is added.
			if (state.late === candle) return {volume: candle.volume, later: run.before, isCertain: false};
			settle(sent, run);
			const {marks, proof} = state;
			const ends = marks.length > 0 ? marks : endsAlone(sent, run);
			const newest = tradeAt(run, 0);
			const [first = {last: newest, volume: candle.volume}] = ends;
			const places = ends.map(mark => placeOf(mark, run));
			const traded = volumesOf(run.tape.slice(run.before, run.before + Math.max(...places)));
			const volumes = ends.map((mark, index) => sumDecimals([mark.volume, traded[places[index] ?? 0] ?? 0]));
			const [volume = candle.volume] = volumes;
			const isOne = Math.max(...volumes) - volume <= run.tolerance;
			state = {...state, newestMark: {last: newest, volume}};
			const isCertain = proof === 'none' ? isUntouched(run) : isOne && (proof === 'trades' || !isDoubtful);
			const isAmbiguous = proof === 'price' && !isCertain;
			// The candle may be ahead of the tape.
			const isAhead = volume <= candle.volume + run.tolerance;
			return {
				volume: isAhead ? candle.volume : first.volume,
				later: run.before + (isAhead ? 0 : placeOf(first, run)),
				...{isCertain, isAmbiguous},
			};
		},
	};
}

type State = {
	/** Of the candle. */
	readonly start: number;
	/** Where the last answer may have ended, newest first. */
	readonly marks: readonly Mark[];
	/** What the tape had of it last. */
	readonly newestMark?: Mark | undefined;
	/** The candle of the last answer whose end was looked for. */
	readonly settled?: Candle | undefined;
	/**
	 * `price`: one of the marks is right, by the candle's close. `trades`: by the trades between two answers, or all of the candle.
	 * `none`: trades are missing there, and the marks only bound the volume.
	 */
	readonly proof: 'none' | 'price' | 'trades';
	/** The trades that were known last. */
	readonly previousRun?: Run | undefined;
	/** The candle of the last answer, if trades have come late since. */
	readonly late?: Candle | undefined;
};

const nothing: State = {start: Number.NaN, marks: [], proof: 'none'};

/** Whether no trade of the candle is known that came after it. */
const isUntouched = ({length, before, isWhole}: Run): boolean => length === 0 && (before === 0 || isWhole);

/** The trades of a candle, as far as none is missing between the newest of the tape and them. */
type Run = {
	/** All trades that are known, newest first: of thousands, a copy is not made for each page. */
	readonly tape: readonly Trade[];
	/** How many newer trades are on the tape. */
	readonly before: number;
	/** How many trades the run has. */
	readonly length: number;
	/** Whether no older trade of the candle is missing. */
	readonly isWhole: boolean;
	/** Volumes that differ by less are the same. */
	readonly tolerance: number;
};

function runOf({candle, period, decimals}: SentCandle, tape: Tape): Run {
	const end = candleEnd(candle, period);
	const {trades} = tape;
	const reach = reachOf(tape);
	const before = Math.min(firstBefore(trades, end), reach);
	const to = Math.min(firstBefore(trades, candle.time), reach);
	const newest = trades.slice(before, Math.min(to, before + fewTrades));
	const isRounded = decimals < decimalsOfAll(newest.map(({quantity}) => quantity));
	// Sums of doubles are not exact.
	const tolerance = Math.max(isRounded ? 1 / powerOfTen(decimals) : 0, candle.volume * 1e-11);
	return {tape: trades, before, length: to - before, isWhole: to < reach, tolerance};
}

/** Trades that are enough to show how exact quantities are. */
const fewTrades = 50;

const tradeAt = ({tape, before, length}: Run, index: number): Trade | undefined =>
	index >= 0 && index < length ? tape[before + index] : undefined;

/** Below 0: the run does not have the trade. */
function indexIn({tape, before, length}: Run, trade: Trade): number {
	const index = tape.indexOf(trade, before) - before;
	return index < length ? index : -1;
}

/** The volumes of none, one, two … and all of these trades. */
function volumesOf(trades: readonly Trade[]): readonly number[] {
	const sum = new DecimalSum();
	return [0, ...trades.map(({quantity}) => sum.add(quantity).total)];
}

/** How many trades of the candle come after the mark: all, if that is before a gap. */
function placeOf({last}: Mark, run: Run): number {
	const place = last ? indexIn(run, last) : -1;
	return place < 0 ? run.length : place;
}

/**
 * The mark at which the candle has `volume`. `ahead`: after all trades that are known; `none`: between two trades, or before
 * `mark`.
 */
function endOf(mark: Mark, volume: number, run: Run): Mark | 'ahead' | 'none' {
	const isThere = (traded: number) => Math.abs(traded - volume) <= run.tolerance;
	if (isThere(mark.volume)) return mark;
	const sum = new DecimalSum().add(mark.volume);
	for (let index = placeOf(mark, run) - 1; index >= 0 && sum.total < volume; index--) {
		const last = tradeAt(run, index);
		if (isThere(sum.add(last?.quantity ?? 0).total)) return {last, volume};
	}

	return sum.total > volume ? 'none' : 'ahead';
}

/** Whether the candle has all trades up to the time that it must, if it ends at the mark. */
function isRecent(mark: Mark, {from}: SentCandle, run: Run): boolean {
	const next = tradeAt(run, placeOf(mark, run) - 1);
	return next === undefined || next.time > from;
}

/** Where the candle may end by itself: at trades with the price of its close. */
function endsAlone({candle: {close, volume}, from}: SentCandle, {tape, before, length}: Run): readonly Mark[] {
	const trades = tape.slice(before, before + length);
	const oldest = trades.findIndex(({time}) => time <= from);
	const possible = oldest < 0 ? trades : trades.slice(0, oldest + 1);
	return possible.flatMap(last => (last.price === close ? {last, volume} : []));
}
