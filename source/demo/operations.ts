import {isIPv4} from 'node:net';

/** The ten operations of exchange-api.md: the interface as the user reads it, a dot, the operation; and their paths. */
export const operationPaths = {
	'v2.info': '/metadata/v2/exchange/info',
	'v2.markets': '/engine/v2/public/markets',
	'v2.summary': '/engine/v2/public/summary',
	'v2.ticker': '/engine/v2/public/ticker',
	'v2.depth': '/engine/v2/public/depth',
	'v2.trades': '/trade/v2/public/trade',
	'v2.candles': '/trade-chart/v2/public/kline',
	'legacy.ticker': '/api-ordermatch/api/v1/public/ticker',
	'legacy.depth': '/api-ordermatch/api/v1/public/depth',
	'legacy.trades': '/api-tradeservice/api/v1/public/trade',
} as const;

export type OperationName = keyof typeof operationPaths;

const isName = (text: string): text is OperationName => Object.hasOwn(operationPaths, text);

export const operationNames: readonly OperationName[] = Object.keys(operationPaths).filter(isName);

const byPath = new Map<string, OperationName>(operationNames.map(name => [operationPaths[name], name]));

export const operationAt = (path: string): OperationName | undefined => byPath.get(path);

const nameIn = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/** Whether a `Host` header names this computer, or is `own`, a name with a port. */
export function isOwnName(host: string, own?: string): boolean {
	const name = nameIn(host);
	const isLoopback = name === 'localhost' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'));
	return isLoopback || (own !== undefined && name === nameIn(own));
}
