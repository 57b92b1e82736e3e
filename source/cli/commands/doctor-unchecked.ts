import {isObstacle, type Obstacle} from '../../client/inspect/operations.ts';
import type {Inspection} from '../../client/inspect/reports.ts';
import {formatExact} from '../../format/number.ts';
import {interfaceName, operationTitle} from '../../market/types.ts';
import type {Finding} from './finding.ts';

/** One finding for each reason why checks could not be made. */
export function uncheckedFindings(inspection: Inspection): readonly Finding[] {
	const groups = Map.groupBy(impossible(inspection), ({why, reason = obstacleText(why)}) => reason);
	return [...groups].map(([reason, checks]) => {
		const names = checks.map(({check}) => check);
		return {severity: 'unchecked', code: checks[0]?.why ?? '', checks: names, text: `${names.join(', ')}: ${reason}`};
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

/** `reason`: more exactly than the obstacle's text. */
type Impossible = {readonly check: string; readonly why: Obstacle; readonly reason?: string};

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
		const {answers, documented, most} = bounds;
		const reason = mostText(most, report.operation);
		const tooFew = (part: string) => ({check: name(part), why: 'too-few' as const, ...(reason && {reason})});
		const hasFailed = (limit: number) => answers.find(answer => answer.limit === limit)?.outcome === 'failed';
		const one = answers.find(({limit}) => limit === 1);
		return [
			...(hasFailed(1) ? [{check: name('limit'), why: 'failed' as const}] : []),
			...(one?.entries === 0 ? [tooFew('limit')] : []),
			...(documented?.standard === 'unknown' ? [tooFew('default')] : []),
			...(documented?.most === 'unknown'
				? [[1000, 1001].some(hasFailed) ? {check: name('maximum'), why: 'failed' as const} : tooFew('maximum')]
				: []),
		];
	});
}

/** `entries`: what they are, as a plural. */
function mostText(most: Inspection['limits'][number]['most'], entries: string): string | undefined {
	if (!most || most.entries === 0) return undefined;
	const isOne = most.entries === 1;
	const received = `only ${formatExact(most.entries)} ${isOne ? entries.slice(0, -1) : entries}`;
	return most.beyond === 'all' ? `${received} ${isOne ? 'exists' : 'exist'}` : `${received} received, possibly all`;
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
