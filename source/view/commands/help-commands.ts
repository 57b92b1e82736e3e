import {clamp} from '../../market/numbers.ts';
import {liveSkew} from '../../store/clock-skew.ts';
import {stampsAhead} from '../../store/trade-time.ts';
import {diagnosisBody} from '../panels/diagnosis/rows.ts';
import {findTyped, isFinding, noFind} from '../panels/help/find.ts';
import {helpBody} from '../panels/help/rows.ts';
import {infoBody} from '../panels/info/rows.ts';
import {type Change, overlayClosed, type UiState} from '../ui-state.ts';
import {type Command, type Control, pair} from './command.ts';

const opened =
	(find: UiState['helpFind']): Change =>
	state => ({
		...state,
		...{overlay: 'help', helpFind: find, overlayScroll: 0},
		helpOver: state.overlay === 'help' ? state.helpOver : state.overlay,
	});

export const helpCommand: Command = {
	name: 'help',
	keys: ['?', 'f1'],
	help: 'show this help',
	hint: {word: 'help', rank: 0},
	run: ({ui}) => ui.update(state => (state.overlay === 'help' ? overlayClosed : opened(noFind))(state)),
	argument: {
		help: 'search this help',
		takes: 'text to find',
		run(text, {ui}) {
			ui.update(opened({text, editing: false}));
			return undefined;
		},
	},
};

const isSearched = ({overlay, helpFind}: UiState): boolean => overlay === 'help' && isFinding(helpFind);

/** Those that act in the help. */
export const helpListCommands: readonly Command[] = [
	{
		name: 'help-find',
		keys: ['/'],
		keysOnly: true,
		actsIn: ({overlay}) => overlay === 'help',
		help: 'search this help',
		hint: {word: 'search', rank: 6},
		run: ({ui}) => ui.update(state => opened({...state.helpFind, editing: true})(state)),
	},
	...pair(
		{keysOnly: true, actsIn: isSearched, help: 'next and previous matches', hint: {word: 'matches', rank: 7}},
		{
			name: 'help-next',
			keys: ['n'],
			atEnd: 'these are the last matches',
			run: control => scrollOverlay(control.page.rows, control),
		},
		{
			name: 'help-previous',
			keys: ['N'],
			atEnd: 'these are the first matches',
			run: control => scrollOverlay(-control.page.rows, control),
		},
	),
];

/** Number of rows of the open overlay, which may be more than the screen shows; 0 of one that does not scroll by rows. */
function overlayRows({store, ui, diagnosis, commands, page, now}: Control): number {
	const {overlay, focus, helpOver, helpFind: find} = ui.getSnapshot();
	const state = store.getSnapshot();
	const {info, budget, trades: tape} = state;
	switch (overlay) {
		case 'help':
			return helpBody({commands, place: helpOver ?? focus, ascii: false, find}, page).length;
		case 'info':
			return info.status === 'ready' ? infoBody(info.data, page, false).length : 0;
		case 'diagnosis': {
			const clocks = {skewMs: liveSkew(state), stampsAheadMs: stampsAhead(tape), now};
			return diagnosisBody({diagnosis: diagnosis.getSnapshot(), budget, ...clocks}, page, false).length;
		}

		default:
			return 0;
	}
}

/** Scrolls the open overlay; above 0: down. */
export function scrollOverlay(by: number, control: Control): void {
	const last = Math.max(overlayRows(control) - control.page.rows, 0);
	control.ui.update(state => ({...state, overlayScroll: clamp(state.overlayScroll + by, 0, last)}));
}

/** Handles a key while the text to find is typed. False: it acts as a command. */
export function pressInHelp(key: string, {ui}: Control): boolean {
	const helpFind = findTyped(ui.getSnapshot().helpFind, key);
	if (helpFind) ui.update(state => ({...state, helpFind, overlayScroll: 0}));
	return helpFind !== undefined;
}
