import {symbolKey} from '../market/symbol.ts';
import {activeState} from '../market/types.ts';

const preferred = 'BTCUSDT';

/** The market to show when none was named: BTC/USDT when it is active, else the first active one, else the first. */
export function defaultSymbol(
	markets: Iterable<{readonly symbol: string; readonly state: string}>,
): string | undefined {
	const all = [...markets];
	const active = all.filter(market => market.state === activeState);
	return (active.find(market => symbolKey(market.symbol) === preferred) ?? active[0] ?? all[0])?.symbol;
}
