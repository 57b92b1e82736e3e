/** The markets of a list in an order of the user's own, and the sort that each list remembers. */
import {expect, test} from 'vitest';
import {pickerListOf} from '../../source/view/panels/markets/list.ts';
import {openHeadless} from './commands/headless.ts';

async function openLists() {
	const monitor = await openHeadless();
	const {type, outcome} = monitor;
	await type(':list-add majors btcusdt ethusdt solusdt xrpusdt\r');
	await type(':list-add two ethusdt btcusdt\r');
	const picker = () => outcome().ui.picker;
	return {
		...monitor,
		picker,
		shown: () => pickerListOf(outcome().state, picker()).map(({market}) => market.symbol),
		sort: () => [picker().list, picker().sort, picker().reversed],
	};
}

test('K and J move the market under the cursor, which stays under it, in the order that was shown', async () => {
	const {press, type, shown, picker, sort} = await openLists();
	await type(':list majors\r:sort name\r');
	await press('1 down down');
	expect([shown(), picker().cursor]).toEqual([['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'], 'SOLUSDT']);
	await press('K');
	expect([shown(), picker().cursor, sort()]).toEqual([
		['BTCUSDT', 'SOLUSDT', 'ETHUSDT', 'XRPUSDT'],
		'SOLUSDT',
		['majors', 'manual', false],
	]);
	await press('K K');
	expect(shown()).toEqual(['SOLUSDT', 'BTCUSDT', 'ETHUSDT', 'XRPUSDT']);
	await press('J J J J');
	expect(shown()).toEqual(['BTCUSDT', 'ETHUSDT', 'XRPUSDT', 'SOLUSDT']);
	await press('S');
	expect(shown()).toEqual(['SOLUSDT', 'XRPUSDT', 'ETHUSDT', 'BTCUSDT']);
});

test('favourites do not precede the order of a list, and new markets come last', async () => {
	const {press, type, shown} = await openLists();
	await type(':list majors\r:sort manual\r');
	await press('1');
	await type(':favourite\r');
	await type(':list-remove majors btcusdt\r:list-add majors btcusdt\r');
	expect(shown()).toEqual(['ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'BTCUSDT']);
});

test('markets that a quote asset hides keep their places among those that are moved', async () => {
	const {press, type, picker} = await openLists();
	await type(':list-add mixed btcusdt ethbtc ethusdt\r:list mixed\r:sort manual\r:quote-asset usdt\r');
	await press('1 down K');
	expect([...(picker().lists.get('mixed') ?? [])]).toEqual(['ETHUSDT', 'BTCUSDT', 'ETHBTC']);
});

test('each list remembers its sort, and so does that of all markets', async () => {
	const {type, sort} = await openLists();
	await type(':sort change\r:list majors\r');
	expect(sort()).toEqual(['majors', 'change', false]);
	await type(':sort name\r:reverse-sort\r:list two\r');
	expect(sort()).toEqual(['two', 'name', true]);
	await type(':sort manual\r:list all\r');
	expect(sort()).toEqual([undefined, 'change', false]);
	await type(':list majors\r');
	expect(sort()).toEqual(['majors', 'name', true]);
	await type(':list two\r');
	expect(sort()).toEqual(['two', 'manual', false]);
	await type(':list-drop two\r');
	expect(sort()).toEqual([undefined, 'change', false]);
	await type(':list-add two xrpusdt\r:list two\r');
	expect(sort()).toEqual(['two', 'change', false]);
});

test('without a list, or while a filter orders the matches, nothing is moved, and why is said', async () => {
	const {press, type, outcome, picker, shown} = await openLists();
	const notice = () => [outcome().ui.notice, outcome().ui.command?.fault];
	await press('1 K');
	expect(notice()).toEqual(['no list is shown; list shows one', undefined]);
	await type(':sort manual\r');
	expect(notice()).toEqual([undefined, 'manual is the order of a list; list shows one']);
	await press('esc');
	await type(':list majors\r');
	const before = shown();
	await press('1');
	await type('/usdt');
	await press('tab 1 J');
	expect(notice()).toEqual(['matches are in their own order; clear the filter first', undefined]);
	await press('/ esc');
	expect([shown(), picker().sort]).toEqual([before, 'volume']);
});
