import type {TomlError} from 'smol-toml';

type Fault = {
	/** From 1. */
	readonly column: number;
	readonly text: string;
};

/** All before a string that has not ended. */
const closed = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'])*/;

/** What is wrong where the parser stopped, in the words of somebody who writes a config file: the parser names what its grammar expects. */
export function tomlFault(toml: string, {line, column, message}: TomlError): Fault {
	const whole = toml.split(/\r?\n/)[line - 1] ?? '';
	const [before, rest] = [whole.slice(0, column - 1), whole.slice(column - 1)];
	const problem = message.replace('Invalid TOML document: ', '').split('\n', 1)[0] ?? '';
	/** The word at the place, and the beginning of it that was read before. */
	const word = /[^\s=,[{]*$/.exec(before)?.[0] ?? '';
	const next = /^[^\s,\]}#]{0,60}/.exec(rest)?.[0] ?? '';
	const at = (text: string, from = column): Fault => ({text, column: from});
	switch (problem) {
		case 'control characters are not allowed in strings': {
			const start = closed.exec(whole)?.[0].length ?? 0;
			return rest === ''
				? at(`the string is not closed: ${whole[start]} is missing at its end`, start + 1)
				: at(`the string has a control character; write it as ${JSON.stringify(rest[0]).slice(1, -1)}`);
		}

		case 'unfinished string':
			return at(`the string is not closed: ${/^(?:"{3}|'{3}|.)/.exec(rest)?.[0]} is missing at its end`);
		case 'invalid value':
			return at(valueFault(next));
		case 'illegal character in numeric literal':
		case 'unfinished numeric value':
			if (/^,\d/.test(rest)) return at('decimals are separated by a dot, not a comma');
			return at(`${word}${next} is not a number; text needs quotes: "${word}${next}"`, column - word.length);
		case 'trying to redefine an already defined table or value':
			return at(`${/^[^=\]]*/.exec(rest)?.[0].trim()} is set a second time`);
		case 'illegal character in key':
			if (whole.trim().startsWith('[')) return at('] is missing after the name of the table');
			return at(
				rest.startsWith(':')
					? 'a setting and its value are separated by =, not :'
					: '= is missing after the name of the setting',
			);
		case 'expected comma or end of structure':
			return at(
				rest === ''
					? 'the list or table is not closed: ] or } is missing at its end'
					: `a comma or the end of the list is missing before ${next}`,
			);
		case 'each key-value declaration must be followed by an end-of-line':
			return at(`${next} cannot follow the value: one setting a line, and # before a comment`);
		case 'unexpected end of key':
			return at(`the name is missing before ${rest[0]}`);
		default:
			return at(`not valid TOML: ${problem}`);
	}
}

function valueFault(word: string): string {
	if (word === '') return 'the value is missing';
	if (/^(?:true|false)$/i.test(word)) return `${word} must be in small letters: ${word.toLowerCase()}`;
	if (/^[“”„‘’«]/.test(word)) return 'quotes must be straight: " or \'';
	if (/["']$/.test(word)) return `the string is not opened: ${word.at(-1)} is missing at its beginning`;
	if (word.startsWith('=')) return 'there is one = too many';
	return `text needs quotes: "${word}"`;
}
