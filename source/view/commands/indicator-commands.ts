import type {IndicatorName} from '../../market/indicators.ts';
import {
	indicatorNames,
	isSettable,
	lengthExamples,
	lengthsTaken,
	meaningOf,
	parseLengths,
	type SettableName,
} from '../panels/chart/indicator-table.ts';
import {changed} from '../ui-state.ts';
import {type Argument, beginning, type Command, type Control, oneOf, onOff} from './command.ts';

/** A command for each indicator: its lengths or `on` show it, `off` hides it, and without an argument it is toggled. */
export const indicatorCommands: readonly Command[] = indicatorNames.map(name => ({
	name,
	keys: [],
	help: `show or hide: ${meaningOf(name).replace('±', 'and')}`,
	run: control => toggleIndicator(name, control),
	argument: isSettable(name) ? lengthsOf(name) : oneOf(name, onOff, (word, control) => show(name, word, control)),
}));

function lengthsOf(name: SettableName): Argument {
	return {
		takes: lengthsTaken(name),
		complete: beginning([...lengthExamples(name), ...onOff]),
		run(text, control) {
			const word = onOff.find(each => each === text.toLowerCase());
			if (word) return void show(name, word, control);
			const parsed = parseLengths(name, text);
			if ('fault' in parsed) return `${parsed.fault}; ${name} takes ${lengthsTaken(name)}`;
			const {indicators, lengths} = control.ui.getSnapshot().chart;
			const fields = {indicators: indicators.union(new Set([name])), lengths: {...lengths, [name]: parsed.value}};
			control.ui.update(changed('chart', fields));
			return undefined;
		},
	};
}

function show(name: IndicatorName, word: (typeof onOff)[number], {ui}: Control): void {
	const {indicators} = ui.getSnapshot().chart;
	const only = new Set([name]);
	ui.update(changed('chart', {indicators: word === 'on' ? indicators.union(only) : indicators.difference(only)}));
}

/** Shows an indicator, or hides it. */
export function toggleIndicator(name: IndicatorName, {ui}: Control): void {
	const {indicators} = ui.getSnapshot().chart;
	ui.update(changed('chart', {indicators: indicators.symmetricDifference(new Set([name]))}));
}
