import {clamp} from '../../market/numbers.ts';
import {keyHintOf} from '../keys.ts';
import type {CursorOverlay} from '../layout.ts';
import {rowAt} from '../layout.ts';
import type {Change} from '../ui-state.ts';
import {type Command, type Control, noted, openLine} from './command.ts';

type ListOverlay<Row> = {
	readonly overlay: CursorOverlay;
	/** What a row is, and what its command is called. */
	readonly thing: string;
	rowsOf(control: Control): readonly Row[];
	/** Distinguishes a row from all others, and stays the same. */
	keyOf(row: Row): string;
	/** What `copy` copies of a row. */
	textOf(row: Row): string;
	/** Why keys do nothing where there are no rows. */
	readonly empty: string;
};

type Deletion<Row> = {
	/** Why the row cannot be deleted; undefined: it can. Default: each can. */
	whyNot?(row: Row, control: Control): string | undefined;
	/** Returns what was deleted, for the status line. */
	remove(row: Row, control: Control): string;
};

/** What keys do in a list over the panels, whose cursor is on one of its rows. */
export function listOverlay<Row>({overlay, thing, rowsOf, keyOf, textOf, empty}: ListOverlay<Row>) {
	const listed = (control: Control) => {
		const rows = rowsOf(control);
		return {rows, row: rowAt(rows, control.ui.getSnapshot().cursors[overlay], keyOf)};
	};
	/** Moves the cursor to a row; undefined: to the first. */
	const at =
		(row: Row | undefined): Change =>
		state => ({...state, cursors: {...state.cursors, [overlay]: row && keyOf(row)}, deleting: undefined});
	/** A command that acts on the row under the cursor. */
	const onRow = (act: (row: Row, control: Control, rows: readonly Row[]) => void) => (control: Control) => {
		const {rows, row} = listed(control);
		if (row === undefined) noted(empty, control);
		else act(row, control, rows);
	};
	return {
		at,
		onRow,
		open: ({ui}: Control): void => ui.update(state => ({...state, overlay, deleting: undefined})),
		/** Moves the cursor by rows; above 0: down. */
		move(by: number, control: Control): void {
			const {rows, row} = listed(control);
			control.ui.update(at(row && rows[clamp(rows.indexOf(row) + by, 0, rows.length - 1)]));
		},
		/** What `copy` copies; undefined: nothing. */
		copied(control: Control): string | undefined {
			const {row} = listed(control);
			return row && textOf(row);
		},
		/** The command that begins one more row on the command line. */
		adding: (help: string, rank: number): Command => ({
			...{name: `${thing}-add`, keys: ['a'], help, hint: {word: 'add', rank}},
			run: control => openLine(`${thing} `, control),
		}),
		/** The command that deletes the row under the cursor if it is run twice. */
		deletion: ({whyNot, remove}: Deletion<Row>): Command => ({
			name: `${thing}-delete`,
			keys: ['x'],
			help: `delete the ${thing} under the cursor, if pressed twice`,
			hint: {word: 'delete', rank: 12},
			run: onRow((row, control, rows) => {
				const {ui, commands} = control;
				const why = whyNot?.(row, control);
				if (why !== undefined) return noted(why, control);
				const {overlay: shown, deleting} = ui.getSnapshot();
				// Typed, it opens the list: what is not seen is not deleted.
				if (shown !== overlay || deleting !== keyOf(row)) {
					const notice = keyHintOf(commands, false)('again deletes it', `${thing}-delete`);
					return ui.update(state => ({...at(row)(state), overlay, deleting: keyOf(row), notice}));
				}

				const notice = remove(row, control);
				const left = new Set(rowsOf(control).map(keyOf));
				const isLeft = (each: Row): boolean => left.has(keyOf(each));
				const next = rows.slice(rows.indexOf(row)).find(isLeft) ?? rows.findLast(isLeft);
				ui.update(state => ({...at(next)(state), notice}));
			}),
		}),
	};
}
