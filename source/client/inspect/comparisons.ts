import type {Trade} from '../../market/types.ts';
import type {Operation} from '../errors.ts';
import type {Answer} from '../exchange.ts';
import type {MarketList} from './agreement.ts';
import type {createV1Operations, createV2Operations, InspectedOperation, Obstacle} from './operations.ts';
import type {Inspection, OperationReport} from './reports.ts';
import {lastAnswer} from './session.ts';
import {understoodUnit} from './times.ts';
import {clockObstacle, tickerDelay} from './timing.ts';
import {type TradeAgreement, tradeAgreement} from './trade-agreement.ts';

/** The operations of each configured interface. */
export type Interfaces = {
	readonly v2: ReturnType<typeof createV2Operations> | undefined;
	readonly v1: ReturnType<typeof createV1Operations> | undefined;
};

type Reports = readonly OperationReport[];

const reportOf = (reports: Reports, of: InspectedOperation): OperationReport | undefined =>
	reports.find(report => report.interface === of.interface && report.operation === of.operation);

const timeProblems: ReadonlySet<string> = new Set(['unit', 'implausible', 'future', 'offset']);

/** Whether the times of its answers are not what the specification says. */
const hasBadTimes = (reports: Reports, of: InspectedOperation): boolean =>
	reportOf(reports, of)?.deviations.some(({problem, found}) => timeProblems.has(problem) && found !== understoodUnit) ??
	false;

/** Compares the trades of the last round in which both interfaces answered. */
export function compareTrades(
	{v2, v1}: {readonly [name in keyof Interfaces]: NonNullable<Interfaces[name]>},
	reports: Reports,
): TradeAgreement | Obstacle {
	const round = v2.trades.samples.findLastIndex(({answer}, index) => answer && v1.trades.samples[index]?.answer);
	const [ours, theirs] = [v2.trades.samples[round], v1.trades.samples[round]];
	if (!ours?.answer || !theirs?.answer) return 'failed';
	if (ours.answer.dropped + theirs.answer.dropped > 0) return 'unreadable';
	if (hasBadTimes(reports, v2.trades) || hasBadTimes(reports, v1.trades)) return 'bad-times';
	const obstacle = clockObstacle([ours], [theirs]);
	if (obstacle) return obstacle;
	const pageOf = ({data, serverTime = 0}: Answer<readonly Trade[]>) => ({trades: data, until: serverTime});
	return tradeAgreement(pageOf(ours.answer), pageOf(theirs.answer)) ?? 'no-trades';
}

type Compared = {
	readonly symbol: string;
	readonly reports: Reports;
	/** Absent: there is one interface only. */
	readonly trades: TradeAgreement | Obstacle | undefined;
};

/** Why answers to the operation are not worth comparing: a fault of one interface alone would show as a difference. */
export function pairObstacle(reports: Reports, operation: Operation): Obstacle | undefined {
	const pair = reports.filter(report => report.operation === operation);
	if (pair.some(({flaws}) => flaws.some(({kind}) => kind === 'crossed'))) return 'crossed';
	return pair.some(({dropped}) => dropped > 0) ? 'unreadable' : undefined;
}

/** The delay of each ticker against the trades of its own interface that were probed in the same round. */
export function tickerDelays({v2, v1}: Interfaces, {symbol, reports, trades}: Compared): Inspection['tickerDelays'] {
	const compared = [
		...(v2 ? [v2.ticker, v2.summary].map(ticker => ({ticker, trades: v2.trades})) : []),
		...(v1 ? [{ticker: v1.ticker, trades: v1.trades}] : []),
	];
	const doTradesDiffer =
		typeof trades === 'object' && trades.differing.length + trades.onlyV2.length + trades.onlyLegacy.length > 0;
	return compared.map(({ticker, trades: own}) => {
		const pairs = ticker.samples.flatMap((sample, round) => {
			const after = own.samples[round];
			return after ? [{ticker: sample, trades: after}] : [];
		});
		const obstacle = hasBadTimes(reports, own) ? 'bad-times' : doTradesDiffer ? 'trades-differ' : undefined;
		return {
			interface: ticker.interface,
			operation: ticker.operation,
			delay: obstacle ?? tickerDelay(pairs, symbol),
		};
	});
}

/** The lists of markets that could be read whole. */
export function marketLists({v2, v1}: Interfaces, reports: Reports): readonly MarketList[] {
	const lists: readonly InspectedOperation<ReadonlyArray<{readonly symbol: string}>>[] = [
		...(v2 ? [v2.markets, v2.ticker, v2.summary] : []),
		...(v1 ? [v1.ticker] : []),
	];
	return lists.flatMap(list => {
		const symbols = new Set(lastAnswer(list)?.map(({symbol}) => symbol));
		const isWhole = symbols.size > 0 && reportOf(reports, list)?.dropped === 0;
		return isWhole ? [{interface: list.interface, operation: list.operation, symbols}] : [];
	});
}
