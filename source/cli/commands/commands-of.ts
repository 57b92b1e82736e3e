import type {Command} from '../../view/commands/command.ts';
import {replayCommands} from '../../view/commands/replay-commands.ts';
import {remapped} from '../../view/commands/table.ts';
import type {Context, ViewerRights} from '../context.ts';

/** What acts on the computer of the program. */
const ofOwner = {record: 'viewers cannot record', suspend: 'there is no shell here to suspend to'};
const ofDiagnosis = {diagnosis: 'the diagnosis is for keys with owner'};
const ofRewind = Object.fromEntries(replayCommands.map(({name}) => [name, 'the rewind is for keys without market=']));

/** The commands of a screen, with the keys of the config file. From a viewer, what it may not do is withheld. */
export function commandsOf({options, viewer}: Pick<Context, 'options' | 'viewer'>): readonly Command[] {
	const all = remapped(options.keys);
	if (!viewer) return all;
	const withheld = withheldFrom(viewer);
	return all.map(command => ({...command, withheld: withheld[command.name]}));
}

/** Why it may not, by command. */
const withheldFrom = ({isOwner, isRestricted}: ViewerRights): Readonly<Record<string, string>> => ({
	...ofOwner,
	...(!isOwner && ofDiagnosis),
	...(isRestricted && ofRewind),
});
