import {type SuspendTerminal, useApp, useFocusManager} from 'ink';
import {type ReactNode, useEffect, useLayoutEffect} from 'react';
import type {Size} from '../format/cells.ts';

/** Connects the program and the React tree in questions of the terminal. */
export type TerminalLoan = {
	/** Lets the program take the terminal from Ink while it is suspended. Set once Ink draws. */
	suspend?: SuspendTerminal;
	/** Called when the tree is laid out for this size. */
	readonly laidOut?: (size: Size) => void;
};

/** Draws nothing: passes Ink's `suspendTerminal` out of the tree, reports the size it is laid out for, and switches off Ink's focus. */
export function LendTerminal({loan, size}: {readonly loan: TerminalLoan; readonly size: Size}): ReactNode {
	const {suspendTerminal} = useApp();
	const {disableFocus} = useFocusManager();
	// Nothing here uses Ink's focus, and with it every Esc would queue a state change that is never drawn.
	useEffect(disableFocus, [disableFocus]);
	useEffect(() => {
		loan.suspend = suspendTerminal;
	}, [loan, suspendTerminal]);
	useLayoutEffect(() => loan.laidOut?.(size), [loan, size]);
	return null;
}
