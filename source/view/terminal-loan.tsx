import {type SuspendTerminal, useApp, useFocusManager} from 'ink';
import {type ReactNode, useEffect, useLayoutEffect} from 'react';
import type {Size} from '../format/cells.ts';

/** What the program and the drawn tree tell each other about the terminal. */
export type TerminalLoan = {
	/** How the program asks Ink for the terminal while it is stopped; filled in once Ink draws. */
	suspend?: SuspendTerminal;
	/** Called when everything stands where it belongs at this size. */
	readonly laidOut?: (size: Size) => void;
};

/** Draws nothing: hands Ink's suspension out of the tree, and says which size the tree is laid out for. The focus is ours. */
export function LendTerminal({loan, size}: {readonly loan: TerminalLoan; readonly size: Size}): ReactNode {
	const {suspendTerminal} = useApp();
	const {disableFocus} = useFocusManager();
	// Ink's own focus, which nothing here uses, would have each Esc kept for ever as a change that is never drawn.
	useEffect(disableFocus, [disableFocus]);
	useEffect(() => {
		loan.suspend = suspendTerminal;
	}, [loan, suspendTerminal]);
	useLayoutEffect(() => loan.laidOut?.(size), [loan, size]);
	return null;
}
