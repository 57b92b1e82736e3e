import type {Case} from './general-cases.ts';
import type {Outcome} from './headless.ts';

const overlay = ({ui}: Outcome) => ui.overlay;
const line = ({ui}: Outcome) => ui.command;
const offs = ({alerts}: Outcome) => alerts.entries.map(({isOff}) => isOff);
const notice = ({ui}: Outcome) => ui.notice;

const moved = ['BTCUSDT BTCUSDT last > 2', 'BTCUSDT BTCUSDT last > 1'] as const;

/** Adds an alert and opens the list. */
const added = ': a l e r t space l a s t > 1 enter !';

export const alertCases: readonly Case[] = [
	['alert', '!', overlay, undefined, 'alerts'],
	['alert', '! !', overlay, 'alerts', undefined],
	['alert', '2 x !', line, undefined, {text: 'alert last crosses 61793.11'}],
	['alert', '2 x up !', line, undefined, {text: 'alert last crosses 61850'}],
	['alert', '3 j !', line, undefined, {text: 'alert last crosses 61824'}],
	['alert-add', '! a', line, undefined, {text: 'alert '}],
	['alert-edit', `${added} e`, line, undefined, {text: 'alert BTCUSDT last > 1', replaces: 'BTCUSDT last > 1'}],
	['alert-edit', `${added} enter`, line, undefined, {text: 'alert BTCUSDT last > 1', replaces: 'BTCUSDT last > 1'}],
	['alert-off', `${added} o`, offs, [false], [true]],
	['alert-off', `${added} o o`, offs, [true], [false]],
	['alert-delete', `${added} x`, notice, undefined, 'x again deletes it'],
	['alert-delete', `${added} x x`, offs, [false], []],
	['alert-delete', `${added} x j x`, offs, [false], [false]],
	['alert-test', `${added} t`, notice, undefined, 'test alert sent'],
	['up', `${added} : a l e r t space l a s t > 2 enter k`, cursorOf, ...moved],
];

function cursorOf({ui}: Outcome): string | undefined {
	return ui.cursors.alerts;
}
