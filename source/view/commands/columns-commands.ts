import {nearestWord} from '../../market/symbol.ts';
import {type ColumnName, columnNames, isColumnName} from '../panels/markets/columns.ts';
import {automatic} from '../panels/settings/model.ts';
import {changed} from '../ui-state.ts';
import {beginning, type Command} from './command.ts';

const takes = `${columnNames.join(', ')}, or ${automatic}`;

export const columnsCommands: readonly Command[] = [
	{
		name: 'columns',
		keys: [],
		help: 'choose the columns of the list of markets and their order',
		argument: {
			takes,
			complete: completeLastColumn,
			run(text, {ui}) {
				const words = text.toLowerCase().split(/[\s,]+/);
				const wrong = words.find(word => !isColumnName(word) && word !== automatic);
				if (wrong !== undefined) return `no column ${wrong}; ${suggestion(wrong)}`;
				if (words.includes(automatic) && words.length > 1) return `${automatic} stands alone`;
				const columns = [...new Set(words.filter(isColumnName))];
				ui.update(changed('picker', {columns: columns.length > 0 ? columns : undefined}));
				return undefined;
			},
		},
	},
];

/** Completes the last word to the columns that are not named before it. */
function completeLastColumn(text: string): readonly string[] {
	const [, before = '', last = ''] = /^(.*[\s,])?([^\s,]*)$/.exec(text) ?? [];
	const named = before.split(/[\s,]+/);
	const left: readonly string[] = columnNames.filter(name => !named.includes(name));
	return beginning(before.trim() ? left : [...left, automatic])(last).map(word => before + word);
}

function suggestion(word: string): string {
	const nearest = nearestWord<ColumnName | typeof automatic>(word, [...columnNames, automatic]);
	return nearest === undefined ? `choose from ${takes}` : `did you mean ${nearest}?`;
}
