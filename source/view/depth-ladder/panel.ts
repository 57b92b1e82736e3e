import {formatFixed} from '../../format/number.ts';
import {stepDecimals, stepSize} from '../../market/depth.ts';
import type {Decimals} from '../../market/precision.ts';
import type {Tape} from '../../market/tape.ts';
import type {DepthBook, Market, Ticker} from '../../market/types.ts';
import type {Resource} from '../../store/resource.ts';
import type {Line, Size} from '../line.ts';
import {resourcePanel} from '../resource-panel.ts';
import type {UiState} from '../ui-state.ts';
import {ladderBody, ladderSkeleton} from './rows.ts';
import {ladderStep} from './rungs.ts';

export type LadderPanelInput = UiState['book'] & {
	readonly depth: Resource<DepthBook>;
	/** Of the same market, for the best bid where the interface shows no bids. */
	readonly ticker: Ticker | undefined;
	readonly market: Market | undefined;
	readonly tape: Resource<Tape>;
	readonly decimals: Decimals;
	readonly focused: boolean;
	readonly size: Size;
	readonly now: number;
	readonly ascii: boolean;
};

/** The framed ladder; its title names the width of a price row. */
export function ladderPanel(input: LadderPanelInput): readonly Line[] {
	const {depth, ticker, market, decimals, grouping} = input;
	const step = depth.status === 'ready' ? ladderStep(depth.data, decimals, grouping) : undefined;
	const width = step && ` ${formatFixed(stepSize(step), stepDecimals(step))}`;
	const tape = input.tape.status === 'ready' ? input.tape.data : undefined;
	return resourcePanel({
		...input,
		resource: depth,
		key: '3',
		titles: [`Book${width ?? ''}`, 'Book'],
		body: (book, size) =>
			ladderBody({
				...input,
				book,
				tickerBid: ticker?.bid,
				tickerBidQuantity: ticker?.bidQuantity,
				trades: tape?.trades,
				tradesPartial: tape && tape.gaps.size > 0,
				base: market?.base,
				quote: market?.quote,
				size,
			}),
		skeleton: ladderSkeleton,
	});
}
