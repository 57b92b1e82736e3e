import {resolve} from 'node:path';
import * as z from 'zod';
import {nearestWord} from '../../market/symbol.ts';

/** The ways to call the user, and `blind`: not only when a rule fires, but also when it cannot be judged. */
const notifyWords = ['bell', 'terminal', 'title', 'command', 'blind'] as const;
export type NotifyWord = (typeof notifyWords)[number];

const notifyText = `must be a list of ${notifyWords.slice(0, -1).join(', ')} and ${notifyWords.at(-1)}`;
export const notify = z.union([z.string(), z.array(z.string())], notifyText).transform((value, context) => {
	const words = typeof value === 'string' ? value.split(',').map(word => word.trim()) : value;
	const known = new Map<string, NotifyWord>(notifyWords.map(word => [word, word]));
	const wrong = words.find(word => word !== '' && !known.has(word));
	if (wrong === undefined) return words.flatMap(word => known.get(word) ?? []);
	const nearest = nearestWord(wrong, notifyWords);
	const message = nearest === undefined ? notifyText : `does not know ${wrong}, did you mean ${nearest}?`;
	context.issues.push({code: 'custom', message, input: value});
	return z.NEVER;
});

/** What stands for a part of the alert in the arguments of `on-alert`. */
const placeholders = ['market', 'message', 'rule', 'time', 'note'] as const;
export type Placeholder = (typeof placeholders)[number];

/** What is run for an alert, never by a shell. */
export type CallCommand = {
	readonly program: string;
	/** With placeholders such as `{market}`. */
	readonly args: readonly string[];
	/** The program was given as the path of a file, and not in a list, where it may be a name to look up in PATH. */
	readonly isPath: boolean;
};

const longestArgument = 4000;
const commandText = 'must be a list such as ["notify-send", "{market}", "{message}"], or the path of a program';
export const callCommand = z
	.union([z.string(), z.array(z.string()).max(100, 'has more than 100 arguments')], commandText)
	.transform((value, context): CallCommand => {
		const isPath = typeof value === 'string';
		const [program = '', ...args] = isPath ? [value.trim()] : value;
		const missing = program !== '' ? undefined : isPath ? 'must be the path of a program' : commandText;
		const fault = missing ?? (isPath ? argumentFault(program) : commandFault(program, args));
		if (fault === undefined) return {program: isPath ? resolve(program) : program, args, isPath};
		context.issues.push({code: 'custom', message: fault, input: value});
		return z.NEVER;
	});

export const placeholderPattern = /\{(\w+)\}/g;

function commandFault(program: string, args: readonly string[]): string | undefined {
	if (/\{\w+\}/.test(program)) return `cannot begin with ${program}: the program is a name or a path`;
	const names = args.flatMap(text => [...text.matchAll(placeholderPattern)].map(([, name = '']) => name));
	const wrong = names.find(name => !placeholders.some(each => each === name));
	if (wrong === undefined) return [program, ...args].map(argumentFault).find(fault => fault !== undefined);
	const nearest = nearestWord(wrong, placeholders);
	const all = placeholders.map(name => `{${name}}`).join(', ');
	return `has no {${wrong}}; ${nearest === undefined ? `choose from ${all}` : `did you mean {${nearest}}?`}`;
}

function argumentFault(text: string): string | undefined {
	if (text.includes('\0')) return 'must not contain a NUL character';
	return text.length > longestArgument ? `has an argument of more than ${longestArgument} characters` : undefined;
}
