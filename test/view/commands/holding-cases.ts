import type {Case} from './general-cases.ts';
import type {Outcome} from './headless.ts';

const held = ({ui}: Outcome) => [...ui.picker.holdings.keys()];
const notice = ({ui}: Outcome) => ui.notice;
const cursor = ({ui}: Outcome) => ui.cursors.holdings;

const typed = (text: string) => [...text].map(letter => (letter === ' ' ? 'space' : letter)).join(' ');
/** Holds ETH and BTC, and opens their list, in which BTC comes first. */
const listed = [':holding eth 1', ':holding btc 2 @ 50000', ':holdings'].map(text => `${typed(text)} enter`).join(' ');

export const holdingCases: readonly Case[] = [
	[
		'holding-show',
		`${listed} j enter`,
		({ui, state}) => [ui.overlay, state.symbol],
		['holdings', 'BTCUSDT'],
		[undefined, 'ETHUSDT'],
	],
	['holding-add', `${listed} a`, ({ui}) => ui.command, undefined, {text: 'holding '}],
	['holding-edit', `${listed} e`, ({ui}) => ui.command, undefined, {text: 'holding BTC 2 @ 50000 USDT'}],
	['holding-delete', `${listed} x`, notice, undefined, 'x again deletes it'],
	['holding-delete', `${listed} x x`, held, ['ETH', 'BTC'], ['ETH']],
	['holding-delete', `${listed} x j x`, notice, undefined, 'x again deletes it'],
	['up', `${listed} j k`, cursor, 'ETH', 'BTC'],
	['down', `${listed} down`, cursor, 'BTC', 'ETH'],
];
