import * as z from 'zod';
import {type Arrangement, type Arrangements, layoutNames, presetNames, sharingPanels} from '../../view/arrangement.ts';
import {withArrangement} from '../../view/presets.ts';
import {isRecord, type JsonRecord, own} from './saved-state.ts';

const extras = z.partialRecord(z.enum(sharingPanels), z.int());

const arrangementSchema = z.object({
	preset: z.enum(presetNames),
	hidden: z.array(z.enum(sharingPanels)),
	columns: extras,
	rows: extras,
});

/** The arrangements in the state file; those that cannot be read are as delivered. */
export function readLayouts(saved: unknown): Arrangements {
	let layouts: Arrangements = {};
	for (const name of layoutNames) {
		const {success, data} = arrangementSchema.safeParse(isRecord(saved) ? own(saved, name) : undefined);
		if (success) layouts = withArrangement(layouts, name, {...data, hidden: new Set(data.hidden)});
	}

	return layouts;
}

/** The arrangements for the state file; undefined: all are as delivered. */
export function savedLayouts(layouts: Arrangements): JsonRecord | undefined {
	const saved = Object.entries(layouts).map(([name, {hidden, ...rest}]: [string, Arrangement]) => [
		name,
		{...rest, hidden: sharingPanels.filter(panel => hidden.has(panel))},
	]);
	return saved.length > 0 ? Object.fromEntries(saved) : undefined;
}
