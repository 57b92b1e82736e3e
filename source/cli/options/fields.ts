/** The fields of the entries of lists, in this order. */
export const marketKeys = ['id', 'symbol', 'base', 'quote', 'state', 'type'] as const;
export const tickerKeys = [
	...(['symbol', 'last', 'change', 'changePercent', 'open', 'high', 'low'] as const),
	...(['bid', 'bidQuantity', 'ask', 'askQuantity', 'volume', 'quoteVolume', 'state', 'type'] as const),
] as const;
export const levelKeys = ['price', 'quantity'] as const;
export const tradeKeys = ['id', 'time', 'price', 'quantity', 'side', 'sideText'] as const;
export const candleKeys = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
export const readCandleKeys = [...candleKeys, 'forming', 'partial', 'builtFrom'] as const;
