import {type SuspendTerminal, useApp} from 'ink';
import {type ReactNode, useEffect} from 'react';

/** How the program asks Ink for the terminal while it is stopped; filled in once Ink draws. */
export type TerminalLoan = {suspend?: SuspendTerminal};

/** Draws nothing: hands Ink's suspension out of the tree. */
export function LendTerminal({loan}: {readonly loan: TerminalLoan}): ReactNode {
	const {suspendTerminal} = useApp();
	useEffect(() => {
		loan.suspend = suspendTerminal;
	}, [loan, suspendTerminal]);
	return null;
}
