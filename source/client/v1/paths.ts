/** Appended to the legacy base address. exchange-api.md, Endpoints. */
export const v1Paths = {
	ticker: '/api-ordermatch/api/v1/public/ticker',
	depth: '/api-ordermatch/api/v1/public/depth',
	trades: '/api-tradeservice/api/v1/public/trade',
} as const;
