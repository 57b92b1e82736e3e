import type {Case} from './key-case.ts';

const calm = [':', 'l', 'i', 's', 't', '-', 'a', 'd', 'd', 'space', 'c', 'a', 'l', 'm'];

/** What the keys of the picker do. */
export const pickerCases: readonly Case[] = [
	{key: 's', what: 'changes the order', see: ({ui}) => ui.picker.sort, from: 'volume', to: 'name'},
	{
		key: 's',
		after: ['S'],
		what: 'begins the next order its own way round',
		see: ({ui}) => [ui.picker.sort, ui.picker.reversed],
		from: ['volume', true],
		to: ['name', false],
	},
	{key: 'S', what: 'turns the order round', see: ({ui}) => ui.picker.reversed, from: false, to: true},
	{key: 'S', after: ['S'], what: 'and back', see: ({ui}) => ui.picker.reversed, from: true, to: false},
	{
		key: 'u',
		what: 'shows only the quote asset of the most markets',
		see: ({ui}) => ui.picker.quote,
		from: undefined,
		to: 'USDT',
	},
	{key: 'u', after: ['u', 'u'], what: 'and all again', see: ({ui}) => ui.picker.quote, from: 'BTC', to: undefined},
	{
		key: 'u',
		after: ['j'],
		what: 'puts the cursor back where the list can show it',
		see: ({ui}) => ui.picker.cursor,
		from: 'ETHUSDT',
		to: undefined,
	},
	{key: 'L', what: 'shows all where there is no list', see: ({ui}) => ui.picker.list, from: undefined, to: undefined},
	{
		key: 'L',
		after: [...calm, 'enter'],
		what: 'shows only the markets of a list',
		see: ({ui}) => ui.picker.list,
		from: undefined,
		to: 'calm',
	},
	{
		key: 'L',
		after: [...calm, 'enter', 'L'],
		what: 'and all again',
		see: ({ui}) => ui.picker.list,
		from: 'calm',
		to: undefined,
	},
	{
		key: 'C',
		what: 'compares the market with the next ones',
		see: ({ui}) => [ui.overlay, ui.compared],
		from: [undefined, []],
		to: ['compare', ['BTCUSDT', 'ETHUSDT', 'SOLUSDT']],
	},
	{
		key: 'C',
		after: ['j', 'j', 'j', 'f'],
		what: 'compares it with the favourites',
		see: ({ui}) => ui.compared,
		from: [],
		to: ['BTCUSDT', 'SHIBUSDT'],
	},
	{key: 'C', after: ['C'], what: 'closes the comparison', see: ({ui}) => ui.overlay, from: 'compare', to: undefined},
	{key: 'A', what: 'shows only active markets', see: ({ui}) => ui.picker.activeOnly, from: false, to: true},
	{key: 'A', after: ['A'], what: 'and all again', see: ({ui}) => ui.picker.activeOnly, from: true, to: false},
];
