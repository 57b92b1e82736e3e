import type {Command} from 'commander';
import {exitStatus} from '../exit.ts';
import {print} from '../output.ts';
import type {Finish} from './common.ts';

/** Defines the hidden command that prints the manual page; the build keeps its output as `tapewatch.1`. */
export function addManual(program: Command, finish: Finish): void {
	program.command('manual', {hidden: true}).action(async () => {
		const {manual} = await import('./manual.ts');
		await print(manual(program));
		finish(exitStatus.done);
	});
}
