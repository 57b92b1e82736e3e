import type {FaultRule} from '../../source/demo/faults/rule.ts';
import {faultNames} from '../../source/demo/faults/table.ts';
import {createDiagnosis} from '../../source/store/diagnosis.ts';
import type {IntervalChoices} from '../../source/store/intervals.ts';
import type {Size} from '../../source/view/line.ts';
import {type Measured, measure} from './measure.ts';
import {escapeKey, openMonitor, type SoakMonitor} from './monitor.tsx';
import {realWorld, type SoakWorld, virtualWorld} from './world.ts';

export type SoakOptions = {
	/** Time of the clock to fill with ten equal tenths, after one round of all keys. */
	readonly ms: number;
	/** On a fake clock instead of the machine's. */
	readonly virtual: boolean;
	/** Told after each tenth. */
	readonly onTenth?: (tenth: Tenth) => void;
};

export type Tenth = Measured & {
	/** From 1. */
	readonly tenth: number;
	/** Since the start. */
	readonly requests: number;
	readonly failures: number;
	/** Written to the terminal since the start. */
	readonly bytes: number;
};

const esc = escapeKey;
/** One line a second or so: markets, periods, interfaces, panels, overlays, the chart's past; each ends as it began. */
const keys: readonly [string, ...string[]] = [
	'n',
	...[']', 'n', '\t', 'c', 'n', '?', esc, '[', 'z', 'z', 'n', 'v', '2', `${esc}[D`, 'c', 'c', 'c'],
	...['3', '+', '-', 'p', '4', '+', '-', '1', '/', 'e', esc, 's', 's', 's', 's', 's', 'v', 'i', esc, ' ', ' '],
	...['d', esc, 'f', 'f', 'v', '2', 'o', 'o', `${esc}[5~`, 'G', 'r', '5', '1'],
];
const sizes: readonly [Size, ...Size[]] = [
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
	{columns: 40, rows: 12},
	{columns: 120, rows: 40},
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
const zones: readonly [string, ...string[]] = ['Pacific/Kiritimati', 'America/St_Johns', 'UTC'];

/** How fast things happen. */
type Pace = {
	readonly pressMs: number;
	/** Between the starts of two faults, each of which lasts half of that. */
	readonly faultEveryMs: number;
	/** By the machine's time, also where that of the clock passes faster than anybody could look. */
	readonly maxFps: number;
	readonly intervals: IntervalChoices;
};

const realPace: Pace = {pressMs: 1000, faultEveryMs: 12_000, maxFps: 60, intervals: {}};
/** So slow that a day passes in minutes. */
const virtualPace: Pace = {
	pressMs: 10_000,
	faultEveryMs: 60_000,
	maxFps: 2,
	intervals: {depth: 10_000, trades: 10_000, tickers: 60_000, candles: 60_000},
};
/** Before it is counted everything comes to rest: in this part of a tenth, but for no longer than this. */
const restShare = 0.25;
const longestRestMs = 15_000;
/** The world's clocks move by this. */
const stepMs = 250;

/** Runs the monitor under everything that its user and its exchange can do, and counts what it holds after each tenth. */
export async function soak({ms, virtual, onTenth}: SoakOptions): Promise<readonly Tenth[]> {
	const pace = virtual ? virtualPace : realPace;
	const diagnosis = createDiagnosis();
	const world = await (virtual ? virtualWorld : realWorld)(diagnosis.observe);
	const monitor = openMonitor(world, diagnosis, pace);
	const tenths: Tenth[] = [];
	const before = process.env.TZ;
	try {
		const restMs = wholeSteps(Math.min((ms / 10) * restShare, longestRestMs));
		const workMs = wholeSteps(ms / 10 - restMs);
		// What is loaded or filled once is no growth: the first round is not counted.
		const nextFault = faultsInTurn();
		for (let tenth = 0; tenth <= 10; tenth++) {
			const time = tenth === 0 ? Math.min(workMs, keys.length * pace.pressMs) : workMs;
			await work(world, monitor, {pace, ms: time, nextFault});
			await rest(world, monitor, restMs);
			if (tenth === 0) continue;
			const counts = {listeners: monitor.listeners(), timers: world.timers()};
			const health = diagnosis.getSnapshot();
			const sum = (name: 'requests' | 'failures') => health.reduce((total, each) => total + each[name], 0);
			const totals = {requests: sum('requests'), failures: sum('failures'), bytes: monitor.bytes()};
			const counted = {tenth, ...(await measure(counts)), ...totals};
			tenths.push(counted);
			onTenth?.(counted);
		}
	} finally {
		if (before === undefined) delete process.env.TZ;
		else process.env.TZ = before;
		monitor.close();
		await world.close();
	}

	return tenths;
}

type Work = {readonly pace: Pace; readonly ms: number; readonly nextFault: () => FaultRule};

/** As much in each tenth: whole rounds of the keys, and the faults that there is time for. */
async function work({demo, pass}: SoakWorld, monitor: SoakMonitor, {pace, ms, nextFault}: Work): Promise<void> {
	const pressMs = wholeSteps(Math.min(pace.pressMs, ms / keys.length));
	const faultEveryMs = pressMs * Math.ceil(pace.faultEveryMs / pace.pressMs);
	const rounds = Math.max(Math.floor(ms / pressMs / keys.length), 1);
	for (let step = 0; step < rounds * keys.length; step++) {
		if ((step * pressMs) % faultEveryMs === 0) demo.faults.add({...nextFault(), forMs: faultEveryMs / 2});
		if (step % 60 === 0) monitor.resize(chosen(sizes, step / 60));
		if (step % 120 === 0) process.env.TZ = chosen(zones, step / 120);
		await monitor.press(chosen(keys, step));
		await pass(pressMs);
	}

	await pass(Math.max(ms - rounds * keys.length * pressMs, 0));
}

/** Every fault, over and over, and each time on other operations. */
function faultsInTurn(): () => FaultRule {
	let turn = 0;
	return () => {
		const rule = {on: chosen(targets, turn), fault: faultNames[turn % faultNames.length] ?? 'hang'};
		turn++;
		return rule;
	};
}

/** At least one. */
function wholeSteps(ms: number): number {
	return Math.max(Math.floor(ms / stepMs), 1) * stepMs;
}

function chosen<T>(list: readonly [T, ...T[]], index: number): T {
	return list[index % list.length] ?? list[0];
}

/** All faults are over, and what is shown is the same at the end of each tenth. */
async function rest({demo, pass}: SoakWorld, {store, press, resize}: SoakMonitor, ms: number): Promise<void> {
	demo.faults.clear();
	for (let overlays = 0; overlays < 2; overlays++) await press(esc);

	resize({columns: 120, rows: 40});
	store.setPaused(false);
	store.setChoice('auto');
	store.setPeriod(60);
	store.select('BTCUSDT');
	await pass(ms);
}
