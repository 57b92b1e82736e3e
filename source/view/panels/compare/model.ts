import {formatPeriod} from '../../../format/time.ts';
import type {CandleSeries} from '../../../market/candles.ts';
import {memo} from '../../../market/memo.ts';
import {performances} from '../../../market/performance.ts';
import {pairName} from '../../../market/symbol.ts';
import type {Market, Period} from '../../../market/types.ts';
import type {Compared} from '../../../store/comparison.ts';
import {type Resource, waiting} from '../../../store/resource.ts';
import type {Line, Size} from '../../line.ts';
import {resourcePanel} from '../../resource-panel.ts';
import {builtFromText} from '../chart/model.ts';
import {chartSkeleton, emptyChart} from '../chart/rows.ts';
import {type ComparedLine, compareChart, plotColumns} from './rows.ts';

/** As many as there are colours for. */
export const mostCompared = 6;

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
	const dot = ascii ? ' - ' : ' · ';
	const built = compared.flatMap(({candles}) => seriesOf(candles) ?? []).flatMap(builtFromText);
	const short = [formatPeriod(period), ...new Set(built)].join(dot);
	const name = `Compare${dot}${short}`;
	return resourcePanel({
		resource: worstResource(compared),
		key: 'C',
		titles: [`${name}${dot}change since the left edge`, name, short, short.replaceAll('built from', 'from')],
		footers: [[':compare chooses', '[ ] period', 'Esc closes'].join(dot)],
		focused: true,
		...{size, now, ascii},
		body: (_, {columns, rows}) => compareBody(compared, markets, period, columns, rows, ascii),
		skeleton: chartSkeleton,
	});
}

const compareBody = memo(
	(
		compared: ComparePanelInput['compared'],
		markets: ComparePanelInput['markets'],
		period: Period,
		columns: number,
		rows: number,
		ascii: boolean,
	): readonly Line[] => {
		const size = {columns, rows};
		const listed = new Map(markets.status === 'ready' ? markets.data.map(market => [market.symbol, market]) : []);
		const lines = compared.map(({symbol, candles}): ComparedLine => {
			const market = listed.get(symbol);
			return {symbol, name: market ? pairName(market) : symbol, note: noteOf(candles)};
		});
		const series = new Map(compared.map(({symbol, candles}) => [symbol, seriesOf(candles)?.candles ?? []]));
		const names = lines.map(line => line.name);
		const shown = performances(series, period * minuteMs, plotColumns(names, size));
		return shown ? compareChart({lines, performances: shown, size, ascii}) : emptyChart(size, ascii);
	},
);

const seriesOf = (candles: Compared['candles']): CandleSeries | undefined =>
	candles.status === 'ready' ? candles.data : undefined;

function noteOf(candles: Compared['candles']): string | undefined {
	if (candles.status === 'waiting') return 'waiting';
	if (candles.status === 'failed') return candles.failure.error.brief;
	if (candles.data.candles.length === 0) return 'no candles';
	return candles.failure ? 'stale' : undefined;
}

/** Of the markets that have candles one that fails, else the oldest. */
function worstResource(compared: readonly Compared[]): Resource<unknown> {
	const resources = compared.map(({candles}) => candles);
	const answered = resources.filter(candles => candles.status === 'ready');
	const failing = answered.find(({failure}) => failure !== undefined);
	const [oldest] = answered.toSorted((a, b) => a.receivedAt - b.receivedAt);
	return failing ?? oldest ?? resources[0] ?? waiting;
}
