import type {Command} from '../../view/commands/command.ts';
import {remapped} from '../../view/commands/table.ts';
import type {Context} from '../context.ts';

/** What acts on the computer of the program. */
const ownersCommands = ['record', 'suspend'];

/** The commands of a screen, with the keys of the config file. A viewer has none that acts on the computer of the program. */
export function commandsOf({options, viewer}: Pick<Context, 'options' | 'viewer'>): readonly Command[] {
	const all = remapped(options.keys);
	if (!viewer) return all;
	const withheld = viewer.isOwner ? ownersCommands : [...ownersCommands, 'diagnosis'];
	return all.filter(({name}) => !withheld.includes(name));
}
