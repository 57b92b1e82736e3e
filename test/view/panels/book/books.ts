import type {DepthBook, Level} from '../../../../source/market/types.ts';

export type BookShape = {
	/** In units of the last price decimal. */
	readonly ask: number;
	readonly bid: number;
	readonly priceDecimals: number;
	readonly quantityDecimals: number;
	readonly levels: number;
	/** The most that two neighbouring levels lie apart, in the units of the prices. */
	readonly apart: number;
	/** About the largest size, in units of the last quantity decimal. */
	readonly scale: number;
};

/** A book with uneven steps and sizes, the same for the same shape. */
export function makeBook(shape: BookShape): Required<Pick<DepthBook, 'asks' | 'bids'>> {
	let seed = 1;
	const random = (): number => {
		seed = (seed * 48_271) % 2_147_483_647;
		return seed / 2_147_483_647;
	};

	const side = (best: number, direction: 1 | -1): readonly Level[] => {
		const levels: Level[] = [];
		for (
			let price = best;
			levels.length < shape.levels && price > 0;
			price += direction * Math.ceil(random() * shape.apart)
		) {
			const quantity = Math.ceil(random() ** 4 * shape.scale);
			levels.push([price / 10 ** shape.priceDecimals, quantity / 10 ** shape.quantityDecimals]);
		}

		return levels;
	};

	return {asks: side(shape.ask, 1), bids: side(shape.bid, -1)};
}

export const bitcoin: BookShape = {
	ask: 6_182_401,
	bid: 6_182_400,
	priceDecimals: 2,
	quantityDecimals: 5,
	levels: 100,
	apart: 40,
	scale: 300_000,
};
export const shiba: BookShape = {
	ask: 1371,
	bid: 1370,
	priceDecimals: 8,
	quantityDecimals: 0,
	levels: 40,
	apart: 12,
	scale: 900_000_000,
};
export const tiny: BookShape = {
	ask: 59,
	bid: 58,
	priceDecimals: 10,
	quantityDecimals: 1,
	levels: 40,
	apart: 9,
	scale: 50_000_000,
};
