import type {IndicatorName} from '../../market/indicators.ts';
import {indicatorNames} from '../panels/chart/chart-state.ts';
import {indicatorMeanings} from '../panels/chart/indicator-curves.ts';
import {
	isSettable,
	lengthExamples,
	lengthsTaken,
	parseLengths,
	type SettableName,
} from '../panels/chart/indicator-lengths.ts';
import {changed} from '../ui-state.ts';
import {type Argument, beginning, type Command, type Control} from './command.ts';

/** What every indicator's command takes: whether it is shown. */
const switches: readonly string[] = ['on', 'off'];

/** A command for each indicator: its lengths or `on` show it, `off` hides it, and without an argument it is toggled. */
export const indicatorCommands: readonly Command[] = indicatorNames.map(name => ({
	name,
	keys: [],
	help: `show or hide: ${indicatorMeanings[name].replace('±', 'and')}`,
	run: control => toggleIndicator(name, control),
	argument: isSettable(name) ? lengthsOf(name) : switchOf(name),
}));

function lengthsOf(name: SettableName): Argument {
	return {
		takes: lengthsTaken(name),
		complete: beginning([...lengthExamples(name), ...switches]),
		run(text, control) {
			if (hasSwitched(name, text, control)) return undefined;
			const parsed = parseLengths(name, text);
			if ('fault' in parsed) return `${parsed.fault}; ${name} takes ${lengthsTaken(name)}`;
			const {indicators, lengths} = control.ui.getSnapshot().chart;
			const fields = {indicators: indicators.union(new Set([name])), lengths: {...lengths, [name]: parsed.value}};
			control.ui.update(changed('chart', fields));
			return undefined;
		},
	};
}

function switchOf(name: IndicatorName): Argument {
	const takes = switches.join(' or ');
	return {
		takes,
		complete: beginning(switches),
		run: (text, control) => (hasSwitched(name, text, control) ? undefined : `${name} takes ${takes}`),
	};
}

/** Shows or hides an indicator if the text is `on` or `off`; false: it is neither. */
function hasSwitched(name: IndicatorName, text: string, {ui}: Control): boolean {
	const word = text.toLowerCase();
	if (!switches.includes(word)) return false;
	const {indicators} = ui.getSnapshot().chart;
	const only = new Set([name]);
	ui.update(changed('chart', {indicators: word === 'on' ? indicators.union(only) : indicators.difference(only)}));
	return true;
}

/** Shows an indicator, or hides it. */
export function toggleIndicator(name: IndicatorName, {ui}: Control): void {
	const {indicators} = ui.getSnapshot().chart;
	ui.update(changed('chart', {indicators: indicators.symmetricDifference(new Set([name]))}));
}
