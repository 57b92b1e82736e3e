import type {Tape} from '../../../../source/market/tape.ts';
import type {Trade} from '../../../../source/market/types.ts';

export type TapeShape = {
	/** In units of the last price decimal. */
	readonly price?: number;
	readonly priceDecimals?: number;
	readonly quantityDecimals?: number;
	/** About the largest quantity, in units of the last quantity decimal. */
	readonly scale?: number;
	readonly trades?: number;
	/** Ms between two trades. */
	readonly everyMs?: number;
	/** Taken in turn, newest first: a side, the exchange's word for an unknown one, or nothing said. */
	readonly sides?: readonly (string | undefined)[];
	/** Index of the trade below which trades may be missing. */
	readonly gapAfter?: number;
};

/** Newest first from 23:54:59 on 8 August 2024 back, the same for the same shape. Default: like BTC/USDT. */
export function makeTape(shape: TapeShape = {}): Tape {
	const {price = 6_182_400, priceDecimals = 2, quantityDecimals = 5, scale = 200_000, everyMs = 1300} = shape;
	const sides = shape.sides ?? ['sell', 'sell', 'buy', 'sell', 'buy', 'buy', 'buy'];
	let seed = 7;
	const random = (): number => {
		seed = (seed * 48_271) % 2_147_483_647;
		return seed / 2_147_483_647;
	};

	const trades = Array.from({length: shape.trades ?? 30}, (_, index): Trade => {
		const side = sides[index % sides.length];
		const hasSide = side === 'buy' || side === 'sell';
		return {
			id: String(3_735_683_259 - index),
			time: Date.UTC(2024, 7, 8, 23, 54, 59) - index * everyMs,
			price: (price + Math.round((random() - 0.5) * 0.001 * price)) / 10 ** priceDecimals,
			quantity: Math.ceil(random() ** 5 * scale) / 10 ** quantityDecimals,
			side: hasSide ? side : undefined,
			sideText: hasSide ? undefined : side,
		};
	});
	const gap = shape.gapAfter === undefined ? undefined : trades[shape.gapAfter]?.id;
	return {trades, gaps: new Set(gap === undefined ? [] : [gap])};
}
