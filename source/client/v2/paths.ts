/** Appended to the base address. exchange-api.md, Endpoints. */
export const v2Paths = {
	info: '/metadata/v2/exchange/info',
	markets: '/engine/v2/public/markets',
	summary: '/engine/v2/public/summary',
	ticker: '/engine/v2/public/ticker',
	depth: '/engine/v2/public/depth',
	trades: '/trade/v2/public/trade',
	candles: '/trade-chart/v2/public/kline',
} as const;
