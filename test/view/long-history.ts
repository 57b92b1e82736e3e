import {HttpStatusError} from '../../source/client/errors.ts';
import {walk} from '../helpers/candles.ts';
import {timeout} from '../store/samples.ts';
import {openMonitor} from './monitor.tsx';
import {sampleScript, sampleTime} from './sample-exchange.ts';

const minute = 60_000;
const standard = {columns: 120, rows: 40};

/** The sample exchange with a long history, given page by page, of candles of so many `minutes` whatever is asked for. */
export async function openWith(
	count: number,
	answer?: (to: number | undefined, period: number) => unknown,
	minutes: 1440 | 60 | 1 = 60,
) {
	const begun = Math.floor(sampleTime / (minutes * minute)) * minutes * minute;
	const shape = {count, price: 61_800, decimals: 2, volatility: 0.003, period: minutes};
	const {candles} = walk({...shape, newest: begun});
	const monitor = await openMonitor({
		size: standard,
		script: {
			...sampleScript,
			// Those of the sample are not in these candles.
			trades: () => [],
			candles({options: {to, limit = 500, period = 60}}) {
				const other = answer?.(to, period);
				if (other instanceof HttpStatusError) return other;
				if (other === 'open') return undefined;
				if (other === 'fail') return timeout('candles');
				return candles.filter(({time}) => time <= (to ?? Infinity)).slice(-limit);
			},
		},
	});
	await monitor.clock.advance(300);
	await monitor.press('2');
	const chart = () => monitor.rows().slice(2, -2);
	const shows = (text: string) => chart().join('\n').includes(text);
	return {...monitor, chart, shows, candles};
}
