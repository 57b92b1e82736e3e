import fc from 'fast-check';

/** Prices of one size, 1e-12 to 1e14, with the decimals that they need. */
export const anyRange = fc
	.record({
		exponent: fc.integer({min: -12, max: 9}),
		low: fc.integer({min: 1, max: 100_000}),
		above: fc.integer({min: 0, max: 20_000_000}),
	})
	.map(({exponent, low, above}) => ({
		low: Number(`${low}e${exponent}`),
		high: Number(`${low + above}e${exponent}`),
		decimals: Math.max(-exponent, 0),
	}));
