import {formatExact} from '../../../format/number.ts';
import type {IndicatorName} from '../../../market/indicators.ts';
import {type Typed, typedNumber} from '../../../market/typed-number.ts';

/** The indicators that have lengths, in candles, or other numbers. */
export type SettableName = keyof typeof settable;
export type IndicatorLengths = Readonly<Record<SettableName, readonly number[]>>;

/** The indicators that the chart shows, and the lengths of all. */
export type Chosen = {
	readonly indicators: ReadonlySet<IndicatorName>;
	readonly lengths: IndicatorLengths;
	/** Where means begin that the user anchored in this market, epoch ms. Default: nowhere. */
	readonly anchored?: readonly number[] | undefined;
};

type Indicator = {
	/** Its name without numbers. */
	readonly label: string;
	/** Its description in the menu. */
	readonly meaning: string;
};

/** The numbers of an indicator. */
type Numbers = {
	readonly standard: readonly number[];
	/** An example, for messages. */
	readonly example: string;
	/** What its numbers are, for messages. */
	readonly takes: string;
	/** What is wrong with these numbers; undefined: nothing. */
	fault(numbers: readonly number[]): string | undefined;
	/** How many candles there are at its first value. Default: the first of its numbers. */
	candles?(numbers: readonly number[]): number;
};

const shortest = 2;
const longest = 1000;
/** As many as have a dot pattern. */
const mostAverages = 4;
const leastDeviations = 0.1;
const mostDeviations = 10;

const isLength = (value: number | undefined): boolean =>
	value !== undefined && Number.isInteger(value) && value >= shortest && value <= longest;
const lengthRange = `${shortest} to ${formatExact(longest)}`;
const lengthFault = (numbers: readonly number[]): string | undefined => {
	const wrong = numbers.find(value => !isLength(value));
	return wrong === undefined ? undefined : `${formatExact(wrong)} is not a whole number from ${lengthRange}`;
};

const single = (standard: number, example: string): Numbers => ({
	...{standard: [standard], example, takes: `a length from ${lengthRange}`},
	fault: numbers => (numbers.length === 1 ? lengthFault(numbers) : `expected one length, got ${numbers.length}`),
});

const averages = (standard: number, example: string): Numbers => ({
	...{standard: [standard], example, takes: `1 to ${mostAverages} lengths from ${lengthRange}`},
	fault(numbers) {
		if (numbers.length > mostAverages) return `expected at most ${mostAverages} lengths, got ${numbers.length}`;
		return new Set(numbers).size < numbers.length ? 'a length is given twice' : lengthFault(numbers);
	},
});

const settable = {
	sma: {label: 'SMA', meaning: 'simple moving average of closes', ...averages(50, '20 50 200')},
	ema: {label: 'EMA', meaning: 'exponential moving average of closes', ...averages(20, '12 26')},
	bollinger: {
		...{label: 'Bollinger', meaning: 'moving average ± standard deviations', standard: [20, 2], example: '20 2'},
		takes: `a length from ${lengthRange} and ${leastDeviations} to ${mostDeviations} standard deviations`,
		fault(numbers) {
			const [length = 0, deviations = 0] = numbers;
			if (numbers.length !== 2) return `expected two numbers, got ${numbers.length}`;
			const isOutside = deviations < leastDeviations || deviations > mostDeviations;
			return (
				lengthFault([length]) ??
				(isOutside ? `${deviations} is not from ${leastDeviations} to ${mostDeviations}` : undefined)
			);
		},
	},
	rsi: {
		...{label: 'RSI', meaning: 'relative strength index, below the prices', ...single(14, '21')},
		candles: ([length = 0]) => length + 1,
	},
	macd: {
		...{label: 'MACD', meaning: 'difference of two EMAs, below the prices', standard: [12, 26, 9], example: '12 26 9'},
		candles: ([, long = 0]) => long,
		takes: `a short, a long and a signal length from ${lengthRange}`,
		fault(numbers) {
			const [short = 0, long = 0] = numbers;
			if (numbers.length !== 3) return `expected three lengths, got ${numbers.length}`;
			return lengthFault(numbers) ?? (short < long ? undefined : 'the first length must be below the second');
		},
	},
	atr: {label: 'ATR', meaning: 'average true range, below the prices', ...single(14, '14')},
	'volume-average': {label: 'Volume average', meaning: 'average volume, over the bars', ...single(20, '20')},
} as const satisfies Record<string, Indicator & Numbers>;

const settings: Readonly<Record<SettableName, Indicator & Numbers>> = settable;
const indicators: Readonly<Record<IndicatorName, Indicator>> = {
	...settable,
	vwap: {label: 'VWAP', meaning: 'volume-weighted average of day, month or year'},
	profile: {label: 'Volume profile', meaning: 'volume by price, value area (70 %)'},
};

/** In the order of the menu, the legend and the panes. */
export const indicatorNames = [
	...(['sma', 'ema', 'vwap', 'bollinger', 'rsi', 'macd', 'atr', 'volume-average', 'profile'] as const),
] as const satisfies IndicatorName[];

export const isSettable = (name: IndicatorName): name is SettableName => Object.hasOwn(settable, name);

export const settableNames: readonly SettableName[] = indicatorNames.filter(isSettable);

/** A name without numbers. */
export const briefLabel = (name: IndicatorName): string => indicators[name].label;

/** A name with its numbers, as menu and legend show it. */
export const indicatorLabel = (name: IndicatorName, lengths: IndicatorLengths): string =>
	isSettable(name) ? `${briefLabel(name)} ${lengthsText(lengths[name])}` : briefLabel(name);

export const meaningOf = (name: IndicatorName): string => indicators[name].meaning;

/** A curve of an indicator: `brief` where room is short, still different from all others. */
export type NamedCurve = {
	readonly label: string;
	readonly brief: string;
	/** How many candles there are at its first value. */
	readonly candles: number;
};

/** The curves of an indicator: each average, else all together. */
export function namedCurves(name: SettableName, lengths: IndicatorLengths): readonly NamedCurve[] {
	const [brief, numbers] = [briefLabel(name), lengths[name]];
	if (name !== 'sma' && name !== 'ema') {
		const candles = settings[name].candles?.(numbers) ?? numbers[0] ?? 0;
		return [{label: indicatorLabel(name, lengths), brief, candles}];
	}

	return numbers.map(candles => {
		const label = `${brief} ${candles}`;
		return {label, brief: numbers.length > 1 ? label : brief, candles};
	});
}

const setEach = (numbersOf: (name: SettableName) => readonly number[]): IndicatorLengths => ({
	...{sma: numbersOf('sma'), ema: numbersOf('ema'), bollinger: numbersOf('bollinger'), rsi: numbersOf('rsi')},
	...{macd: numbersOf('macd'), atr: numbersOf('atr'), 'volume-average': numbersOf('volume-average')},
});

export const standardLengths: IndicatorLengths = setEach(name => settings[name].standard);

/** What the indicator's command takes, for messages. */
export const lengthsTaken = (name: SettableName): string =>
	`${settings[name].takes}, such as ${settings[name].example}, on or off`;

/** Texts that `parseLengths` reads, the likeliest first. */
export const lengthExamples = (name: SettableName): readonly string[] => [
	...new Set([settings[name].example, lengthsText(settings[name].standard)]),
];

/** Reads the lengths of an indicator: numbers between blanks or commas. */
export function parseLengths(name: SettableName, text: string): Typed<readonly number[]> {
	const typed = text
		.split(/[\s,]+/)
		.filter(Boolean)
		.map(typedNumber);
	const numbers: number[] = [];
	for (const each of typed) {
		if ('fault' in each) return each;
		numbers.push(each.value);
	}

	const fault = settings[name].fault(numbers);
	return fault === undefined ? {value: numbers} : {fault};
}

/** As `parseLengths` reads them: `20 50 200`. */
export const lengthsText = (numbers: readonly number[]): string => numbers.join(' ');

/** The lengths whose texts these are; where there is none, or a wrong one, the standard ones. */
export function savedLengths(texts: Readonly<Record<string, unknown>> = {}): IndicatorLengths {
	return setEach(name => {
		const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
		const parsed = typeof text === 'string' ? parseLengths(name, text) : undefined;
		return parsed && 'value' in parsed ? parsed.value : settings[name].standard;
	});
}

/** The texts of the lengths that are not the standard ones, for `savedLengths`. */
export const lengthTexts = (lengths: IndicatorLengths): Readonly<Record<string, string>> =>
	Object.fromEntries(
		settableNames
			.map(name => [name, lengthsText(lengths[name])] as const)
			.filter(([name, text]) => text !== lengthsText(settings[name].standard)),
	);
