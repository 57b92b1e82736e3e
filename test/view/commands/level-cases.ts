import type {Case} from './general-cases.ts';
import type {Outcome} from './headless.ts';

const levels = ({ui}: Outcome) => ui.drawnLevels.get('BTCUSDT');
const notice = ({ui}: Outcome) => ui.notice;
const cursor = ({ui}: Outcome) => ui.cursors.levels;

/** Draws levels at 60000 and 60001, and opens their list. */
const drawn = ': l e v e l space 6 0 0 0 0 enter : l e v e l space 6 0 0 0 1 enter : l e v e l s enter';

export const levelCases: readonly Case[] = [
	['level', '2 x enter', levels, undefined, [{price: 61_793.11}]],
	['level', '2 x enter enter', levels, [{price: 61_793.11}], []],
	['level', '2 x enter down up enter', ({ui}) => ui.chart.crossPrice, 61_800, 61_793.11],
	['level', '2 enter', notice, undefined, 'no crosshair to draw a level at; level 61500 draws one at a price'],
	[
		'level-show',
		`${drawn} enter`,
		({ui}) => [ui.overlay, ui.chart.crossPrice],
		['levels', undefined],
		[undefined, 60_001],
	],
	['line', '2 x T left T', ({ui}) => ui.drawnLines.get('BTCUSDT')?.lines.map(({number}) => number), undefined, [1]],
	['line', '2 T', notice, undefined, 'no crosshair to draw a line at; crosshair shows one'],
	['level-add', `${drawn} a`, ({ui}) => ui.command, undefined, {text: 'level '}],
	['level-edit', `${drawn} e`, ({ui}) => ui.command, undefined, {text: 'level 60001 "'}],
	['level-delete', `${drawn} x`, notice, undefined, 'x again deletes it'],
	['level-delete', `${drawn} x x`, levels, [{price: 60_001}, {price: 60_000}], [{price: 60_000}]],
	['level-delete', `${drawn} x j x`, notice, undefined, 'x again deletes it'],
	['up', `${drawn} j k`, cursor, '60000', '60001'],
	['down', `${drawn} down`, cursor, '60001', '60000'],
];
