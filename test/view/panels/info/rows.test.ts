import {expect, test} from 'vitest';
import type {ExchangeInfo} from '../../../../source/market/types.ts';
import {lineText} from '../../../../source/view/line.ts';
import {infoBody, infoSkeleton} from '../../../../source/view/panels/info/rows.ts';
import {info as sample} from '../../../store/samples.ts';

const info: ExchangeInfo = {...sample, website: 'https://sample.example/a/long/way/down', version: ''};

test('the description is followed by eight flags: true, false or without a value', () => {
	const body = infoBody(info, {columns: 70, rows: 20}, false);
	expect(body.map(lineText)).toEqual([
		' name              Sample',
		' description       –',
		' location          –',
		' website           https://sample.example/a/long/way/down',
		' logo              –',
		' twitter           –',
		' interface version –',
		'',
		' Capabilities',
		' markets           true',
		' trades            true',
		' tradesByTimestamp false',
		' tradesSocket      no value',
		' orders            true',
		' ordersSocket      no value',
		' ordersSnapshot    false',
		' candles           true',
	]);
	expect(body.slice(9).map(row => row[1]?.tone)).toEqual([
		'good',
		'good',
		'plain',
		'muted',
		'good',
		'muted',
		'plain',
		'good',
	]);
});

test('a long address is shown whole, on several rows', () => {
	const rows = infoBody(info, {columns: 38, rows: 20}, true).map(lineText);
	expect(rows.slice(3, 6)).toEqual([
		' website           https://sample.exam',
		'                   ple/a/long/way/down',
		' logo              -',
	]);
});

test.each([
	['narrow words', 'word '],
	['one wide word', '漢'],
])('a description of a megabyte in %s is cut at 2,000 characters', (_, unit) => {
	const description = unit.repeat(1_000_000);
	const shown = infoBody({...info, description}, {columns: 70, rows: 20}, false).map(row => row[1]?.text ?? '');
	const cut = shown.join(' ').replaceAll(' ', '').indexOf('…');
	expect(cut).toBe(`Sample${unit.repeat(2000).slice(0, 2000)}`.replaceAll(' ', '').length);
	expect(shown.length).toBeLessThan(120);
});

test('the skeleton names the flags', () => {
	expect(infoSkeleton({columns: 40, rows: 12}, false).map(lineText)).toEqual([
		' Capabilities',
		...Object.keys(info.capability).map(flag => ` ${flag.padEnd(18)}········`),
	]);
});
