/** What docs/interface.md says of the operations, against the code that reads them. */
import {describe, expect, test} from 'vitest';
import {type Decoder, failWith} from '../../../source/client/wire/decode.ts';
import {isRecord} from '../../../source/client/wire/fields.ts';
import {decodeBook} from '../../../source/client/wire/lists.ts';
import {v1Paths} from '../../../source/client/wire/v1/client.ts';
import * as v1 from '../../../source/client/wire/v1/schemas.ts';
import {v2Paths} from '../../../source/client/wire/v2/client.ts';
import * as v2 from '../../../source/client/wire/v2/schemas.ts';
import {documents} from '../../helpers/documents.ts';
import {info} from '../../helpers/specified-exchange.ts';
import {candle, legacyTicker, legacyTrade, market, ticker, trade} from '../../helpers/wire-entries.ts';

const page = documents.find(({name}) => name === 'docs/interface.md')?.text ?? '';

test('docs/interface.md has the paths of all operations', () => {
	const [, section = ''] = page.match(/^## The ten operations\n(.*?)^## /ms) ?? [];
	const paths = [...section.matchAll(/^\| [\w ]+ \| `([^`]+)` \|/gm)].map(([, path]) => path);
	expect(paths.toSorted()).toEqual([...Object.values(v2Paths), ...Object.values(v1Paths)].toSorted());
});

/** The fields that the section lists, with whether it calls them required. */
function fieldsOf(heading: string): readonly (readonly [name: string, isRequired: boolean])[] {
	const [, section = ''] = page.match(new RegExp(`^### ${heading}\\n(.*?)^##`, 'ms')) ?? [];
	return [...section.matchAll(/^\| (`.*?`) \| (yes|no) \|/gm)].flatMap(([, names = '', required]) =>
		[...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, required === 'yes'] as const),
	);
}

const list = (entry: object) => [entry];
const itself = (entry: object) => entry;
const levels = {asks: [[11, 1]], bids: [[9, 1]]};
const second = 1_723_161_600;
const written = '2024-08-08T23:54:58+0000';

const sections: readonly (readonly [string, Decoder<unknown>, object, (entry: object) => unknown])[] = [
	['v2 exchange info', v2.decodeInfo, info, itself],
	['v2 market list', v2.decodeMarkets, market('BTC'), list],
	['v2 ticker', v2.decodeTickers, ticker(), list],
	['v2 ticker', v2.decodeSummary, ticker(), entry => ({markets: [entry]})],
	['v2 order book', v2.decodeDepth, levels, itself],
	['v2 trades', v2.decodeTrades, trade(1, {time: second * 1000}), list],
	['v2 candles', v2.decodeCandles, candle(second), list],
	['Legacy ticker', v1.decodeTickers, legacyTicker(), entry => ({BTCUSDT: entry})],
	['Legacy order book', decodeBook, levels, itself],
	['Legacy trades', v1.decodeTrades, legacyTrade(1, written), list],
];

describe.each(sections)('docs/interface.md, %s', (heading, decode, entry, dataOf) => {
	/** Whether this entry is read, and not dropped. */
	function isRead(changed: object): boolean {
		try {
			const {dropped} = decode(dataOf(changed), failWith({operation: 'info', interface: 'v2', url: ''}));
			return dropped === 0;
		} catch {
			return false;
		}
	}

	test('lists the fields', () => {
		expect(isRead(entry)).toBe(true);
		expect(
			fieldsOf(heading)
				.map(([name]) => name)
				.toSorted(),
		).toEqual(Object.keys(entry).toSorted());
	});

	test.each(fieldsOf(heading))('%s is required: %s', (name, isRequired) => {
		const without = Object.fromEntries(Object.entries(entry).filter(([key]) => key !== name));
		expect(isRecord(entry) && name in entry).toBe(true);
		expect(isRead(without)).toBe(!isRequired);
	});
});
