import type {Ask} from '../../source/client/question.ts';
import type {FaultRule} from '../../source/demo/faults/rule.ts';
import {faultNames} from '../../source/demo/faults/table.ts';
import type {Size} from '../../source/format/cells.ts';
import type {IntervalChoices} from '../../source/store/polling.ts';
import {keysOfRound} from './keys.ts';
import {type Measured, measure} from './measure.ts';
import {openMonitor, type SoakMonitor} from './monitor.tsx';
import {createSoakWorld, type SoakWorld} from './world.ts';

export type SoakOptions = {
	/** Time of the clock for ten equal tenths; sleep comes on top. */
	readonly ms: number;
	/** Default true: first as long as one of the tenths, which is not counted. What is loaded, compiled or filled once is no growth. */
	readonly warmUp?: boolean;
	/** How many of the tenths. Default: all. */
	readonly tenths?: number;
	/** What is pressed in a round; it leaves the view as it was. Default: every key. */
	readonly keys?: readonly string[];
	/** The share of their limits that hostile bodies reach. Default: 1. */
	readonly hostileShare?: number;
	/** Told after each tenth. */
	readonly onTenth?: (tenth: Tenth) => void;
};

export type Tenth = Measured & {
	/** From 1. */
	readonly tenth: number;
	/** Of the whole process, as the system sees it. */
	readonly residentMegabytes: number;
	/** From waking to when everything on the screen had been received after it. */
	readonly wokenMs: number;
	/** Since the start. */
	readonly calls: number;
	readonly requests: number;
	readonly failures: number;
	/** Written to the terminal since the start. */
	readonly frames: number;
	readonly bytes: number;
};

const sizes: readonly [Size, ...Size[]] = [
	{columns: 120, rows: 40},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
	{columns: 40, rows: 12},
	// What some terminals tell, such as that of a serial line.
	{columns: 0, rows: 0},
];
const targets: readonly [string, ...string[]] = [
	'*',
	'v2.*',
	'legacy.*',
	'*.depth',
	'*.trades',
	'v2.candles',
	'*.ticker',
];
const shares: readonly [number, ...number[]] = [1, 0.1, 0.5];
const zones: readonly [string, ...string[]] = ['Pacific/Kiritimati', 'America/St_Johns', 'UTC'];
/** Keys between two sizes, and between two time zones. */
const keysPerSize = 40;
const keysPerZone = 120;
const keysPerPaste = 7;
const keysPerWarning = 5;
/** As many at once, half of them the same. */
const warnings = 40;
/** Markets that do not exist, which are asked for with each key. */
const symbolsPerKey = 3;
const keysPerWord = 3;
/** What a terminal may send although nobody asked; none of it is a key. */
const terminalWords: readonly [string, ...string[]] = [
	'\u001BP1$r0 q\u001B\\',
	'\u001B]52;c;cQq=\u0007',
	'\u001B_Gi=1;q\u001B\\',
	'\u001B^q\u001B\\',
	'\u001BXq\u001B\\',
	'\u001B[M q!',
	'\u001B[?62;4c',
];
const halvesPerRound = 8;
const paste = `\u001B[200~${'q\u0003 :/'.repeat(20_000)}\u001B[201~`;

/** How fast things happen, and for how long. */
type Pace = {
	readonly pressMs: number;
	/** Between the starts of two faults, each of which lasts half of that; after the first one other troubles last as long. */
	readonly faultEveryMs: number;
	/** By the machine's time, although that of the clock passes faster than anybody could look. */
	readonly maxFps: number;
	readonly intervals: IntervalChoices;
	/** How long the computer sleeps once in each tenth, at most ten times as long as the soak. */
	readonly sleepMs: number;
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** So slow that a day passes in minutes. */
export const pace: Pace = {
	sleepMs: 8 * hourMs,
	pressMs: 10_000,
	faultEveryMs: 60_000,
	maxFps: 2,
	intervals: {depth: 10_000, trades: 10_000, tickers: 60_000, candles: 60_000},
};
/** Before it is counted everything comes to rest: in this part of a tenth, but for no longer than this. */
const restShare = 0.1;
const longestRestMs = 15_000;
/** The embedded exchange keeps the hours of its 48 markets for ever: 24 of 0.24 kB each. */
const exchangeMegabytesADay = 0.3;
/** Between two polls of what is polled least often, which nobody who wakes a computer should wait for twice. */
const longestWakingMs = 15_000;
/** The world's clocks move by this. */
const stepMs = 250;

/**
 * By how much more may be held at the end of a soak than at its beginning. One mebibyte of objects is 40 bytes for each
 * request of a virtual day: less than anything that could be held of a request. Of the code more and more is compiled,
 * though never more than there is. How many sockets and timers are open when it is looked at differs by a few: each connection is four
 * sockets, as a relay is on the way, and alerts ask beside the screen.
 */
export function boundsAfter(ms: number): Measured {
	const days = (ms + 10 * pace.sleepMs) / dayMs;
	const heapMegabytes = 1 + days * exchangeMegabytesADay;
	return {heapMegabytes, codeMegabytes: 4, outsideMegabytes: 1, handles: 12, files: 3, listeners: 0, timers: 4};
}

/** Where waking took longer than a poll, in words; empty: it never did. */
export const slowToWake = (tenths: readonly Tenth[]): readonly string[] =>
	tenths
		.filter(({wokenMs}) => wokenMs > longestWakingMs)
		.map(({tenth, wokenMs}) => `${(wokenMs / 1000).toFixed(1)} s after waking not all was fresh (tenth ${tenth})`);

/** Runs the monitor under everything that its user and its exchange can do, and counts what it holds after each tenth. */
export async function soak({
	ms,
	warmUp = true,
	tenths: last = 10,
	keys = keysOfRound,
	hostileShare,
	onTenth,
}: SoakOptions): Promise<readonly Tenth[]> {
	const world = await createSoakWorld(hostileShare);
	const monitor = await openMonitor(world, pace);
	const tenths: Tenth[] = [];
	const zone = process.env.TZ;
	try {
		const restMs = wholeSteps(Math.min((ms / 10) * restShare, longestRestMs));
		const workMs = wholeSteps(ms / 10 - restMs);
		const nextFault = faultsInTurn();
		for (let tenth = warmUp ? 0 : 1; tenth <= last; tenth++) {
			await work(world, monitor, {ms: workMs, keys, nextFault});
			const wokenMs = await sleep(world, monitor, Math.min(pace.sleepMs, 10 * ms));
			await rest(world, monitor, restMs);
			if (tenth === 0) continue;
			const counted = {tenth, wokenMs, ...(await measure(counts(world, monitor))), ...totals(monitor)};
			tenths.push(counted);
			onTenth?.(counted);
		}
	} finally {
		setTimeZone(zone);
		await monitor.close();
		await world.close();
	}

	return tenths;
}

/** What listens and waits now. */
const counts = ({timers}: SoakWorld, {listeners}: SoakMonitor) => ({listeners: listeners(), timers: timers()});

function totals({diagnosis, written, calls}: SoakMonitor) {
	const health = diagnosis.getSnapshot();
	const sum = (name: 'requests' | 'failures') => health.reduce((total, each) => total + each[name], 0);
	const residentMegabytes = process.memoryUsage.rss() / 1024 ** 2;
	return {residentMegabytes, calls: calls(), requests: sum('requests'), failures: sum('failures'), ...written()};
}

type Work = {
	readonly ms: number;
	readonly keys: readonly string[];
	readonly nextFault: () => FaultRule;
};

/**
 * As much in each tenth: whole rounds of the keys in the first half, or one that takes longer, then nobody touches
 * anything, so that lists fill; all the while the faults that there is time for.
 */
async function work(world: SoakWorld, monitor: SoakMonitor, {ms, keys, nextFault}: Work): Promise<void> {
	const pressMs = wholeSteps(Math.min(pace.pressMs, ms / keys.length));
	const rounds = Math.max(Math.floor(ms / 2 / pressMs / keys.length), 1);
	const presses = rounds * keys.length;
	const steps = Math.max(Math.floor(ms / pressMs), presses);
	// However short a round is, each trouble has its turn.
	const stepsPerFault = Math.ceil(Math.min(pace.faultEveryMs / pressMs, (2 * presses) / halvesPerRound));
	for (let step = 0; step < steps; step++) {
		if (step % stepsPerFault === 0) world.demo.faults.add({...nextFault(), forMs: (stepsPerFault * pressMs) / 2});
		await trouble(world, monitor, Math.floor((2 * step) / stepsPerFault));
		if (step < presses) await act(monitor, step, keys);
		if (step === presses) await settle(monitor);
		await world.pass(pressMs);
	}

	await trouble(world, monitor);
	world.demo.faults.clear();
	await settle(monitor);
	await world.pass(stepMs);
}

/**
 * What else is wrong in this half of the time between two faults, from 0; absent: nothing. Once hostile bodies; over and over the
 * exchange moves while the computer's clock is ahead, and the disk is full while it is behind.
 */
async function trouble(world: SoakWorld, {fillDisk}: SoakMonitor, half = 0): Promise<void> {
	const turn = half % halvesPerRound;
	await world.moveTo(half === 1 ? 'hostile' : turn === 2 ? 'left' : 'exchange');
	world.setClock(turn === 2 ? hourMs : turn === 3 ? -hourMs : 0);
	fillDisk(turn === 3);
}

/** The next key of the round; every now and then another size of the terminal, another time zone, a paste and warnings. */
async function act(
	{press, resize, warn, askForMadeUp}: SoakMonitor,
	step: number,
	keys: readonly string[],
): Promise<void> {
	askForMadeUp(symbolsPerKey);
	if (step % keysPerWord === 0) await press(...inTwo(chosen(terminalWords, step / keysPerWord), step));
	if (step % keysPerSize === 0) resize(chosen(sizes, step / keysPerSize));
	if (step % keysPerZone === 0) setTimeZone(chosen(zones, step / keysPerZone));
	if (step % keysPerPaste === 0) await press(paste);
	if (step % keysPerWarning === 0) {
		for (let index = 0; index < warnings; index++) warn(index % 2 === 0 ? 'warning' : `warning ${step} ${index}`);
	}

	await press(keys[step % keys.length] ?? '');
}

/** The same on the screen after each round: the market that is traded most, everywhere at its newest. */
async function settle({store, press, resize}: SoakMonitor): Promise<void> {
	resize({columns: 120, rows: 40});
	for (let opened = 0; opened < 3; opened++) await press('esc');
	store.setPaused(false);
	store.setChoice('auto');
	store.setPeriod(60);
	store.select('BTCUSDT');
}

/** Closes the lid for `ms`. @returns how long after waking everything on the screen was fresh, ms */
async function sleep(world: SoakWorld, {store}: SoakMonitor, ms: number): Promise<number> {
	const {clock, pass} = world;
	world.sleep(ms);
	const wokenAt = clock.now();
	const shown: readonly Ask[] = ['tickers', 'depth', 'trades', 'candles'];
	const isFresh = () => {
		const state = store.getSnapshot();
		return shown.every(name => {
			const resource = state[name];
			return resource.status === 'ready' && resource.receivedAt >= wokenAt;
		});
	};
	while (!isFresh() && clock.now() - wokenAt <= longestWakingMs) await pass(stepMs);
	return clock.now() - wokenAt;
}

/** What filled meanwhile is let go of, and what was under way ends. */
async function rest({pass}: SoakWorld, monitor: SoakMonitor, ms: number): Promise<void> {
	await settle(monitor);
	monitor.store.select('ETHUSDT');
	await pass(ms);
}

/** Every fault, over and over, and each time on other operations, or on a share of their requests. */
function faultsInTurn(): () => FaultRule {
	let turn = 0;
	return () => {
		const fault = faultNames[turn % faultNames.length] ?? 'hang';
		const share = chosen(shares, Math.floor(turn / faultNames.length));
		return {on: chosen(targets, turn++), fault, share};
	};
}

/** In two pieces. */
function inTwo(word: string, step: number): readonly [string, string] {
	const end = 1 + (step % (word.length - 1));
	return [word.slice(0, end), word.slice(end)];
}

function setTimeZone(zone: string | undefined): void {
	if (zone === undefined) delete process.env.TZ;
	else process.env.TZ = zone;
}

/** At least one. */
function wholeSteps(ms: number): number {
	return Math.max(Math.floor(ms / stepMs), 1) * stepMs;
}

function chosen<T>(list: readonly [T, ...T[]], index: number): T {
	return list[index % list.length] ?? list[0];
}
