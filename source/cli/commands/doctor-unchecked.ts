import {isObstacle, type Obstacle} from '../../client/inspect/operations.ts';
import type {Inspection} from '../../client/inspect/reports.ts';
import {interfaceName, operationTitle} from '../../market/types.ts';
import type {Finding} from './finding.ts';

/** One finding for each reason why checks could not be made. */
export function uncheckedFindings(inspection: Inspection): readonly Finding[] {
	const groups = Map.groupBy(impossible(inspection), ({why}) => why);
	return [...groups].map(([why, checks]) => {
		const names = checks.map(({check}) => check);
		return {severity: 'unchecked', code: why, checks: names, text: `${names.join(', ')}: ${obstacleText(why)}`};
	});
}

/** Why a check could not be made, as a clause. */
export function obstacleText(why: Obstacle): string {
	const texts: Readonly<Record<Obstacle, string>> = {
		failed: 'a read that it needs failed',
		unreadable: 'entries were dropped',
		crossed: 'bids and asks are crossed',
		'no-time': 'the answers have no plausible time',
		'bad-times': 'the times of the trades are doubtful',
		'clocks-differ': 'the operations have different clocks',
		'no-price': 'the ticker has no last price',
		'no-trades': 'no trades to compare',
		'no-such-trade': 'no trade has the price of the ticker',
		'trades-differ': 'the trades of v2 and legacy differ',
		changing: 'no unchanged value to compare',
		'too-few': 'too few entries',
	};
	return texts[why];
}

type Impossible = {readonly check: string; readonly why: Obstacle};

const impossible = (inspection: Inspection): readonly Impossible[] => [
	...clocks(inspection),
	...limits(inspection),
	...checkedUnless('candle range unit', inspection.rangeUnit),
	...inspection.tickerDelays.flatMap(ticker => checkedUnless(`${operationTitle(ticker)} delay`, ticker.delay)),
	...agreement(inspection),
];

const checkedUnless = (check: string, result: unknown): readonly Impossible[] =>
	isObstacle(result) ? [{check, why: result}] : [];

function clocks({operations, clocks: found}: Inspection): readonly Impossible[] {
	const interfaces = new Set(operations.map(report => report.interface));
	return [...interfaces]
		.filter(source => !found.some(clock => clock.interface === source))
		.map(source => {
			const hasAnswer = operations.some(report => report.interface === source && report.failures < report.requests);
			return {check: `${interfaceName(source)} clock`, why: hasAnswer ? 'no-time' : 'failed'};
		});
}

function limits(inspection: Inspection): readonly Impossible[] {
	const limited = inspection.operations.filter(({operation}) => operation === 'trades' || operation === 'candles');
	return limited.flatMap(report => {
		const name = (part: string) => `${operationTitle(report)} ${part}`;
		const bounds = inspection.limits.find(
			({interface: source, operation}) => source === report.interface && operation === report.operation,
		);
		if (!bounds) return [{check: name('limit'), why: 'failed' as const}];
		const {answers, documented} = bounds;
		const hasFailed = (limit: number) => answers.find(answer => answer.limit === limit)?.outcome === 'failed';
		const one = answers.find(({limit}) => limit === 1);
		return [
			...(hasFailed(1) ? [{check: name('limit'), why: 'failed' as const}] : []),
			...(one?.entries === 0 ? [{check: name('limit'), why: 'too-few' as const}] : []),
			...(documented?.standard === 'unknown' ? [{check: name('default'), why: 'too-few' as const}] : []),
			...(documented?.most === 'unknown'
				? [{check: name('maximum'), why: [1000, 1001].some(hasFailed) ? ('failed' as const) : ('too-few' as const)}]
				: []),
		];
	});
}

function agreement({agreement: found}: Inspection): readonly Impossible[] {
	if (!found) return [];
	const {tickers, book, trades} = found;
	const unlessCompared = (check: string, {compared}: {readonly compared: number}): readonly Impossible[] =>
		compared > 0 ? [] : [{check, why: 'changing'}];
	return [
		...(typeof tickers === 'string'
			? checkedUnless('v2 = legacy tickers', tickers)
			: (['last', 'bid', 'ask'] as const).flatMap(name => unlessCompared(`v2 = legacy ticker ${name}`, tickers[name]))),
		...(typeof book === 'string'
			? checkedUnless('v2 = legacy book', book)
			: [
					...unlessCompared('v2 = legacy asks', book.asks),
					...(book.bids ? unlessCompared('v2 = legacy bids', book.bids) : []),
				]),
		...checkedUnless('v2 = legacy trades', trades),
	];
}
