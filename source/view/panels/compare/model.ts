import {formatPeriod} from '../../../format/time.ts';
import type {CandleSeries} from '../../../market/candles.ts';
import {performances} from '../../../market/performance.ts';
import {pairName} from '../../../market/symbol.ts';
import type {Market, Period} from '../../../market/types.ts';
import type {Compared} from '../../../store/comparison.ts';
import {type Resource, waiting} from '../../../store/resource.ts';
import {bodySize} from '../../frame.ts';
import type {Line, Size} from '../../line.ts';
import {resourcePanel} from '../../resource-panel.ts';
import {builtFromText} from '../chart/chart.ts';
import {chartSkeleton, emptyChart} from '../chart/skeleton.ts';
import {type ComparedLine, compareChart, plotColumns} from './chart.ts';

export type ComparePanelInput = {
	readonly compared: readonly Compared[];
	/** For the names of the pairs. */
	readonly markets: Resource<readonly Market[]>;
	readonly period: Period;
	readonly size: Size;
	readonly now: number;
	readonly ascii: boolean;
};

const minuteMs = 60_000;

/** The framed comparison; its age is that of the market that needs it most: one that fails, else the oldest. */
export function comparePanel({compared, markets, period, size, now, ascii}: ComparePanelInput): readonly Line[] {
	const known = markets.status === 'ready' ? new Map(markets.data.map(market => [market.symbol, market])) : new Map();
	const lines = compared.map(({symbol, candles}): ComparedLine => {
		const market: Market | undefined = known.get(symbol);
		return {symbol, name: market ? pairName(market) : symbol, note: noteOf(candles)};
	});
	const series = new Map(compared.map(({symbol, candles}) => [symbol, seriesOf(candles)?.candles ?? []]));
	const inner = bodySize(size);
	const steps = plotColumns(
		lines.map(({name}) => name),
		inner,
	);
	const shown = performances(series, period * minuteMs, steps);
	const dot = ascii ? ' - ' : ' · ';
	const built = compared.flatMap(({candles}) => seriesOf(candles) ?? []).flatMap(builtFromText);
	const short = [formatPeriod(period), ...new Set(built)].join(dot);
	const name = `Compare${dot}${short}`;
	return resourcePanel({
		resource: spokesman(compared),
		key: 'C',
		titles: [`${name}${dot}change since the left edge`, name, short, short.replaceAll('built from', 'from')],
		footers: [[':compare chooses', '[ ] period', 'Esc closes'].join(dot)],
		focused: true,
		...{size, now, ascii},
		body: (_, body) =>
			shown ? compareChart({lines, performances: shown, size: body, ascii}) : emptyChart(body, ascii),
		skeleton: chartSkeleton,
	});
}

const seriesOf = (candles: Compared['candles']): CandleSeries | undefined =>
	candles.status === 'ready' ? candles.data : undefined;

function noteOf(candles: Compared['candles']): string | undefined {
	if (candles.status === 'waiting') return 'waiting';
	if (candles.status === 'failed') return candles.failure.error.brief;
	if (candles.data.candles.length === 0) return 'no candles';
	return candles.failure ? 'stale' : undefined;
}

/** The one that speaks for all: of those that have candles one that fails, else the oldest. */
function spokesman(compared: readonly Compared[]): Resource<unknown> {
	const resources = compared.map(({candles}) => candles);
	const answered = resources.filter(candles => candles.status === 'ready');
	const failing = answered.find(({failure}) => failure !== undefined);
	const [oldest] = answered.toSorted((a, b) => a.receivedAt - b.receivedAt);
	return failing ?? oldest ?? resources[0] ?? waiting;
}
